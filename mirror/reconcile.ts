import type { KubeObject } from '#api/objects.ts';
import type { Priority } from '#kube/gate.ts';
import { RECENT_MS } from '#mirror/cluster-identity.ts';
import { deleteCopy } from '#mirror/delete-copy.ts';
import { mayWithdraw } from '#mirror/may-withdraw.ts';
import type { MirrorContext, Outcome } from '#mirror/mirror-context.ts';
import { keyOf, type ObjectKey } from '#mirror/object-key.ts';
import type { Decision, Observation, Occupant } from '#mirror/observation.ts';
import { copyDigest } from '#mirror/owned-fields.ts';
import type { Glance } from '#mirror/observed-store.ts';
import { observe, observeLive } from '#mirror/observe.ts';
import { hasCopy, indexedOccupant, liveOccupant } from '#mirror/occupant.ts';
import { publish } from '#mirror/publish.ts';
import { retireStrays } from '#mirror/retire-strays.ts';

type Options = { signal: AbortSignal; priority: Priority; glance: Glance };
type Withdrawal = Extract<Decision<KubeObject>, { kind: 'withdraw' }>;
type Judged<S> = Options & { decision: Decision<KubeObject>; observation: Observation<S> };

/**
 * Brings one copy to what its source calls for: observe, decide, stop if equal, apply or withdraw.
 * Before anything that cannot be taken back, what the decision rests on is read live and decided again:
 * the source before a withdrawal, the hub's name before a first publication.
 * @throws {ApiError | WaitingError} to the controller; nothing is concluded from a failure.
 */
export async function reconcile<S extends KubeObject>(
  context: MirrorContext<S>,
  key: ObjectKey,
  options: { signal: AbortSignal; priority: Priority },
): Promise<Outcome> {
  const hasStrays = context.strays.has(key);
  if (isSettled(context, key) && !hasStrays) return { action: 'none' };
  const glance = context.observed.glance(key);
  try {
    if (hasStrays && (options.priority === 'sweep' || isSettled(context, key)))
      return await sweepStrays(context, key, { ...options, glance });
    const outcome = await reconcileSource(context, key, { ...options, glance });
    return hasStrays ? thenStrays(context, key, outcome) : outcome;
  } finally {
    context.observed.endGlance(key);
  }
}

async function reconcileSource<S extends KubeObject>(context: MirrorContext<S>, key: ObjectKey, options: Options): Promise<Outcome> {
  const { observation, live } = await observe(context, key, options);
  const decision = decide(context, key, observation);
  const judged = decision.kind === 'withdraw' && !live ? await judgeLive(context, key, options) : { observation, decision, live };
  note(context, key, { ...options, ...judged });
  return carryOut(context, key, { ...options, ...judged });
}

/** True when there is nothing to bring about: neither source nor copy, or a copy as the source called for when last judged. */
function isSettled<S extends KubeObject>(context: MirrorContext<S>, key: ObjectKey): boolean {
  const { rules, observed, published, dirty } = context;
  const copyKey = rules.copyKey(key);
  if (!observed.complete || !published.complete || dirty.has(key)) return false;
  if (!observed.has(key)) return !hasCopy(context, key);
  const wanted = observed.digestOf(key);
  return wanted !== undefined && published.settled(copyKey, wanted);
}

/** Strays go last of all, in the lane that runs only when nothing is being published (contract section 2, "Location of a cell"). */
async function sweepStrays<S extends KubeObject>(context: MirrorContext<S>, key: ObjectKey, options: Options): Promise<Outcome> {
  if (options.priority !== 'sweep') return { action: 'none', requeue: 'sweep' };
  const { observation, decision } = await judgeLive(context, key, options);
  note(context, key, { ...options, observation, decision, live: true });
  // A source that is passed over, empty or held keeps whatever copy it has, wherever that stands.
  const isDecided = decision.kind === 'copy' || decision.kind === 'withdraw';
  if (!isDecided || !isSettled(context, key)) {
    const outcome = await carryOut(context, key, { ...options, observation, decision });
    if (!isDecided) return outcome;
    // A source that is leaving needs no copy anywhere, whoever has taken the name of the right one, or may have.
    const isTaken = outcome.action === 'refused' || indexedOccupant(context, key) !== 'ours';
    if (decision.kind === 'copy' || !isTaken) return thenStrays(context, key, outcome);
  }
  if (decision.kind === 'withdraw' && !mayWithdraw(context, key, decision.evidence)) return { action: 'kept', reason: 'ShrinkFrozen' };
  const occupant = decision.kind === 'copy' ? await occupantInPlace(context, key, options) : 'ours';
  if (occupant !== 'ours') {
    const now = context.rules.decide(key, observation, occupant);
    const outcome = await carryOut(context, key, { ...options, observation, decision: now });
    return occupant === 'free' ? thenStrays(context, key, outcome) : outcome;
  }
  await context.rules.verifySource({ signal: options.signal, maxAgeMs: 0 });
  // Somebody may take the right copy away meanwhile.
  const isUp = () => decision.kind === 'withdraw' || isSettled(context, key);
  const stillSo = () => isUp() && isStillSo(context, key, { ...options, observation, decision });
  return retireStrays(context, key, { ...options, stillSo });
}

/** What stands under the right copy's name, read live, once the place was found to be the same still. */
async function occupantInPlace<S extends KubeObject>(context: MirrorContext<S>, key: ObjectKey, options: Options): Promise<Occupant> {
  await context.rules.verifyPlace?.(options.signal);
  const { occupant } = await liveOccupant(context, key, options);
  return occupant;
}

function thenStrays<S extends KubeObject>(context: MirrorContext<S>, key: ObjectKey, outcome: Outcome): Outcome {
  // A source that is still there and leaving is never settled.
  const isWithdrawn = !hasCopy(context, key) && outcome.requeue === undefined && ['none', 'withdrawn'].includes(outcome.action);
  return isWithdrawn || isSettled(context, key) ? { ...outcome, requeue: 'sweep' } : outcome;
}

async function judgeLive<S extends KubeObject>(context: MirrorContext<S>, key: ObjectKey, options: Options) {
  const observation = await observeLive(context, key, options);
  return { observation, decision: decide(context, key, observation), live: true };
}

function decide<S extends KubeObject>(context: MirrorContext<S>, key: ObjectKey, observation: Observation<S>): Decision<KubeObject> {
  return context.rules.decide(key, observation, indexedOccupant(context, key));
}

/** Asked at the last moment: since it was decided, the plane may have been fenced or doubted, or its place be no longer known. */
function isStillSo<S extends KubeObject>(context: MirrorContext<S>, key: ObjectKey, { glance, observation, decision }: Judged<S>): boolean {
  if (decision.kind === 'withdraw' && decision.evidence === 'weak' && !context.guard.permits(key)) return false;
  return !glance.overtaken && decide(context, key, observation).kind === decision.kind;
}

/** Notes what the source calls for. Where an event came while it was looked at, the event's word stands. */
function note<S extends KubeObject>(
  { rules, observed }: MirrorContext<S>,
  key: ObjectKey,
  { observation, decision, glance, live }: Judged<S> & { live: boolean },
): void {
  if (glance.overtaken) return;
  if (observation.kind === 'absent') observed.doubt(key);
  if (observation.kind !== 'present' || !rules.selects(observation.object)) return;
  observed.note(key, decision.kind === 'copy' ? copyDigest(decision.copy) : undefined, live ? glance.list : 0);
}

async function carryOut<S extends KubeObject>(context: MirrorContext<S>, key: ObjectKey, judged: Judged<S>): Promise<Outcome> {
  const { decision, observation, ...options } = judged;
  switch (decision.kind) {
    case 'copy':
      return publishWhereFree(context, key, { ...options, observation, copy: decision.copy });
    case 'withdraw':
      return withdraw(context, key, { ...options, observation, decision });
    case 'keep':
      return { action: 'kept', reason: decision.reason, report: decision.report ?? false };
    case 'wait':
      return { action: 'waiting', reason: decision.reason };
    case 'refuse':
      return { action: 'refused', reason: decision.reason, report: true };
  }
}

async function publishWhereFree<S extends KubeObject>(
  context: MirrorContext<S>,
  key: ObjectKey,
  { copy, observation, ...options }: Options & { copy: KubeObject; observation: Observation<S> },
): Promise<Outcome> {
  const { rules, published } = context;
  const known = published.get(rules.copyKey(key)) !== undefined;
  const { occupant, uid } = known ? { occupant: 'ours' as const } : await liveOccupant(context, key, options);
  if (occupant === 'foreign')
    return carryOut(context, key, { ...options, observation, decision: rules.decide(key, observation, occupant) });
  await rules.verifySource({ signal: options.signal, maxAgeMs: RECENT_MS });
  await rules.prepare?.(key, options);
  // Meanwhile somebody may have taken the name, or the plane may be fenced.
  const now = decide(context, key, observation);
  if (now.kind !== 'copy') return carryOut(context, key, { ...options, observation, decision: now });
  if (keyOf(now.copy) !== keyOf(copy)) return { action: 'none', requeue: 'live' };
  const stillSo = () => isStillSo(context, key, { ...options, observation, decision: now });
  return publish(context, now.copy, { ...options, stillSo, source: key, uid: occupant === 'ours' ? uid : undefined });
}

/** Withdraws on the live observation that led here, after the plane has once more said who it is. */
async function withdraw<S extends KubeObject>(
  context: MirrorContext<S>,
  key: ObjectKey,
  { decision, observation, ...options }: Judged<S> & { decision: Withdrawal },
): Promise<Outcome> {
  const { rules, observed, published } = context;
  const copyKey = rules.copyKey(key);
  const held = published.get(copyKey);
  // The copy of another source is that one's to look after.
  if (copyKey === undefined || !held || !hasCopy(context, key) || (held.sourceRecorded && held.source !== key)) return { action: 'none' };
  // Publishing goes before weak withdrawing, so that a set of replaced pods is up before the old one goes (contract section 5).
  if (decision.evidence === 'weak' && options.priority !== 'sweep') return { action: 'none', requeue: 'sweep' };
  if (!mayWithdraw(context, key, decision.evidence)) return { action: 'kept', reason: 'ShrinkFrozen' };
  await rules.verifySource({ signal: options.signal, maxAgeMs: 0 });
  const outcome = await deleteCopy(context, copyKey, {
    ...options,
    stillSo: () => isStillSo(context, key, { ...options, observation, decision }),
    owner: { ...rules, source: key },
    because: decision.reason,
  });
  if (outcome.action === 'withdrawn') observed.settleAbsence(key);
  return outcome;
}
