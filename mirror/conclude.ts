import type { KubeObject } from '#api/objects.ts';
import type { MirrorContext } from '#mirror/mirror-context.ts';
import type { ObjectKey } from '#mirror/object-key.ts';
import { hasCopy, indexedOccupant } from '#mirror/occupant.ts';
import { findUnclaimed } from '#mirror/unclaimed.ts';

/** What a complete observation has shown. */
export type Conclusion = {
  /** The sources that it showed. */
  seen: { has(key: ObjectKey): boolean; readonly size: number };
  /** What it did not show though it was remembered or has a copy, and copies that stand in the wrong place. */
  suspects: ReadonlySet<ObjectKey>;
  /** Copies at this place that have their source in another cluster. */
  others: number;
  /** Of the guard, when the observation began. */
  epoch: number;
};

/** Ends a list of the reflector: what was known and is not in it, and copies that no source in it claims, are suspects. */
export function concludeList<S extends KubeObject>(context: MirrorContext<S>, epoch: number): void {
  const { observed } = context;
  const missing = observed.listCompleted();
  const { sources, others } = findUnclaimed(context, (source) => observed.has(source));
  conclude(context, { seen: observed, suspects: new Set([...missing, ...sources]), others, epoch });
}

/** Ends a complete observation: the guard hears how much is missing, then each suspect is queued for a live read of its own. */
export function conclude<S extends KubeObject>(context: MirrorContext<S>, { seen, suspects, others, epoch }: Conclusion): void {
  const { guard, source, log } = context;
  context.observed.observedInFull(source.clock.wallMs());
  const wasFrozen = guard.frozen !== undefined;
  const absent = new Set([...suspects].filter((key) => !seen.has(key) && (context.strays.has(key) || hasCopy(context, key))));
  guard.observe({ live: seen.size, copies: countCopies(context) - others, absent, epoch }, source.clock.monotonicMs());
  const { frozen } = guard;
  const fields = { reason: 'ShrinkFrozen', count: frozen?.missing.size ?? 0 };
  if (frozen && !wasFrozen) log.error(fields, 'Too many sources are missing at once: withdrawals are frozen');
  if (!frozen && wasFrozen) log.info(fields, 'Withdrawals are no longer frozen');
  context.others.count = others;
  for (const key of suspects) suspect(context, key);
}

/** Queues a key for a live read, behind every publication. */
export function suspect<S extends KubeObject>({ dirty, strays, observed, queue }: MirrorContext<S>, key: ObjectKey): void {
  dirty.drop(key);
  if (!strays.has(key)) observed.doubt(key);
  queue.add(key, 'sweep');
}

/**
 * How many sources have a copy: those under the present origin, and those of which only a misplaced copy stands. A plane that was
 * emptied often loses its location with its sources, and what it had published before must not go uncounted then.
 */
function countCopies<S extends KubeObject>(context: MirrorContext<S>): number {
  const misplaced = [...context.strays.keys()].filter((key) => indexedOccupant(context, key) !== 'ours');
  return context.published.count(context.rules.origin) + misplaced.length;
}
