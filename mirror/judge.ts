import type { KubeObject } from '#api/objects.ts';
import type { Priority } from '#kube/gate.ts';
import type { MirrorContext } from '#mirror/mirror-context.ts';
import { keyOf, type ObjectKey } from '#mirror/object-key.ts';
import { present } from '#mirror/observation.ts';
import { indexedOccupant } from '#mirror/occupant.ts';
import { copyDigest } from '#mirror/owned-fields.ts';

/**
 * Takes a source as an event or a list shows it. Decides at once, so that a source whose copy is right costs neither queue
 * nor memory; any other is queued. `round`: the list or sweep that had begun last when the object was read.
 */
export function judge<S extends KubeObject>(
  context: MirrorContext<S>,
  object: S,
  { priority, round = context.observed.round }: { priority: Priority; round?: number },
): void {
  const { rules, observed, published, dirty, holds, queue, guard } = context;
  const key = keyOf(object);
  guard.returned(key);
  const decision = rules.decide(key, present(object), indexedOccupant(context, key));
  const digest = decision.kind === 'copy' ? copyDigest(decision.copy) : undefined;
  observed.present(key, digest, round);
  if (digest !== undefined && published.settled(rules.copyKey(key), digest)) {
    dirty.drop(key);
    holds.clear(key);
    return;
  }
  dirty.put(key, object);
  queue.add(key, priority);
}

/** Takes the deletion of a source as an event shows it: strong evidence, and still to be confirmed by a live read. */
export function judgeDeleted<S extends KubeObject>({ dirty, observed, queue }: MirrorContext<S>, key: ObjectKey): void {
  dirty.drop(key);
  observed.deleted(key);
  queue.add(key, 'live');
}

/** Takes a change of a copy on the hub: whatever is not as its source last called for is put right. */
export function judgeCopy<S extends KubeObject>({ observed, published, rules, queue }: MirrorContext<S>, source: ObjectKey): void {
  const wanted = observed.digestOf(source);
  if (wanted !== undefined && published.settled(rules.copyKey(source), wanted)) return;
  queue.add(source, 'repair');
}

/** Judges sources anew because something around them changed: those of one namespace, or all. */
export function judgeAgain<S extends KubeObject>(context: MirrorContext<S>, namespace: string | undefined): void {
  for (const key of context.observed.keys(namespace)) {
    context.observed.forgetDigest(key);
    context.queue.add(key, 'repair');
  }
}
