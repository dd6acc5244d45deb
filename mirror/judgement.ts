import type { KubeObject } from '#api/objects.ts';
import type { Priority } from '#kube/gate.ts';
import type { MirrorContext } from '#mirror/mirror-context.ts';
import { keyOf, type ObjectKey } from '#mirror/object-key.ts';
import { type Decision, type Observation, PROVES_MS } from '#mirror/observation.ts';
import { observeLive, type Sighting } from '#mirror/observe.ts';
import type { Glance } from '#mirror/observed-store.ts';
import { hasCopy, indexedOccupant } from '#mirror/occupant.ts';
import { copyDigest } from '#mirror/owned-fields.ts';

/** How a key is looked at: until the signal aborts, in a lane of the gate, with a glance that tells of events meanwhile. */
export type Look = { signal: AbortSignal; priority: Priority; glance: Glance };

/** A look, what it showed and when, and what that calls for. */
export type Judged<S> = Look & Sighting<S> & { decision: Decision<KubeObject> };

/** True when there is nothing to bring about: neither source nor copy, or a copy as the source called for when last judged. */
export function isSettled<S extends KubeObject>(context: MirrorContext<S>, key: ObjectKey): boolean {
  const { rules, observed, published, dirty } = context;
  const copyKey = rules.copyKey(key);
  if (!observed.complete || !published.complete || dirty.has(key)) return false;
  if (!observed.has(key)) return !hasCopy(context, key);
  const wanted = observed.digestOf(key);
  return wanted !== undefined && published.settled(copyKey, wanted);
}

/** What a live look at the source shows and calls for. @throws {ApiError | WaitingError} when it cannot be had. */
export async function judgeLive<S extends KubeObject>(context: MirrorContext<S>, key: ObjectKey, options: Look) {
  const sighting = await observeLive(context, key, options);
  return { ...sighting, decision: decide(context, key, sighting.observation) };
}

/** What an observation of a source calls for, as its copy's name is held on the hub now. */
export function decide<S extends KubeObject>(context: MirrorContext<S>, key: ObjectKey, observation: Observation<S>): Decision<KubeObject> {
  return context.rules.decide(key, observation, indexedOccupant(context, key));
}

/** Asked at the last moment: since it was decided, much time may have gone, the plane may have been fenced or doubted, or its place be no longer known. */
export function isStillSo<S extends KubeObject>(
  context: MirrorContext<S>,
  key: ObjectKey,
  { glance, observation, decision, liveMs }: Judged<S>,
): boolean {
  if (liveMs !== undefined && context.source.clock.monotonicMs() - liveMs > PROVES_MS) return false;
  if (decision.kind === 'withdraw' && decision.evidence === 'weak' && !context.guard.permits(key)) return false;
  return !glance.overtaken && decide(context, key, observation).kind === decision.kind;
}

/** True while an observation calls for a copy under this name: the plane is not fenced, its place is known, and the same. */
export function stillCallsFor<S extends KubeObject>(
  context: MirrorContext<S>,
  key: ObjectKey,
  { observation, copy }: { observation: Observation<S>; copy: KubeObject },
): boolean {
  const now = decide(context, key, observation);
  return now.kind === 'copy' && keyOf(now.copy) === keyOf(copy);
}

/** Notes what the source calls for. Where an event came while it was looked at, the event's word stands. */
export function note<S extends KubeObject>(
  { rules, observed, guard }: MirrorContext<S>,
  key: ObjectKey,
  { observation, decision, glance, liveMs }: Judged<S>,
): void {
  if (glance.overtaken) return;
  if (observation.kind === 'absent') observed.doubt(key);
  if (observation.kind !== 'present' || !rules.selects(observation.object)) return;
  if (liveMs !== undefined) guard.returned(key);
  observed.note(key, decision.kind === 'copy' ? copyDigest(decision.copy) : undefined, liveMs === undefined ? 0 : glance.round);
}
