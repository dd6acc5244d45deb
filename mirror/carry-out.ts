import type { KubeObject } from '#api/objects.ts';
import { RECENT_MS } from '#mirror/cluster-identity.ts';
import { deleteCopy } from '#mirror/delete-copy.ts';
import { decide, isStillSo, type Judged, stillCallsFor } from '#mirror/judgement.ts';
import { mayWithdraw } from '#mirror/may-withdraw.ts';
import type { MirrorContext, Outcome } from '#mirror/mirror-context.ts';
import { keyOf, type ObjectKey } from '#mirror/object-key.ts';
import type { Decision } from '#mirror/observation.ts';
import { hasCopy, liveOccupant } from '#mirror/occupant.ts';
import { publish } from '#mirror/publish.ts';

type Publication = Extract<Decision<KubeObject>, { kind: 'copy' }>;
type Withdrawal = Extract<Decision<KubeObject>, { kind: 'withdraw' }>;

/**
 * Does what was decided of a source: publishes where the name is free or ours, withdraws what the guard lets go, or says why not.
 * What was decided is asked again at the last moment before each write, since the plane may have been fenced meanwhile.
 * @throws {ApiError | WaitingError} when a write, or a read before it, fails.
 */
export async function carryOut<S extends KubeObject>(context: MirrorContext<S>, key: ObjectKey, judged: Judged<S>): Promise<Outcome> {
  const { decision } = judged;
  switch (decision.kind) {
    case 'copy':
      return publishWhereFree(context, key, { ...judged, decision });
    case 'withdraw':
      return withdraw(context, key, { ...judged, decision });
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
  judged: Judged<S> & { decision: Publication },
): Promise<Outcome> {
  const { rules, published } = context;
  const { observation, decision, signal, priority } = judged;
  await rules.verifySource({ signal, maxAgeMs: RECENT_MS });
  await rules.prepare?.(key, { signal, priority });
  // Last of all: another cell of the same location may take the name at any moment, and the answers before may take seconds.
  const known = published.get(rules.copyKey(key)) !== undefined;
  const { occupant, uid } = known ? { occupant: 'ours' as const } : await liveOccupant(context, key, { signal, priority });
  if (occupant === 'foreign') return carryOut(context, key, { ...judged, decision: rules.decide(key, observation, occupant) });
  // Meanwhile somebody may have taken the name, or the plane may be fenced.
  const now = decide(context, key, observation);
  if (now.kind !== 'copy') return carryOut(context, key, { ...judged, decision: now });
  const { copy } = now;
  if (keyOf(copy) !== keyOf(decision.copy)) return { action: 'none', requeue: 'live' };
  const stillSo = () => isStillSo(context, key, { ...judged, decision: now });
  const stillWanted = () => stillCallsFor(context, key, { observation, copy });
  return publish(context, copy, { signal, priority, stillSo, stillWanted, source: key, uid: occupant === 'ours' ? uid : undefined });
}

/** Withdraws on the live observation that led here, after the plane has once more said who it is. */
async function withdraw<S extends KubeObject>(
  context: MirrorContext<S>,
  key: ObjectKey,
  judged: Judged<S> & { decision: Withdrawal },
): Promise<Outcome> {
  const { rules, observed, published } = context;
  const { decision, signal, priority } = judged;
  const copyKey = rules.copyKey(key);
  const held = published.get(copyKey);
  // The copy of another source is that one's to look after.
  if (copyKey === undefined || !held || !hasCopy(context, key) || (held.sourceRecorded && held.source !== key)) return { action: 'none' };
  // Publishing goes before weak withdrawing, so that a set of replaced pods is up before the old one goes (contract section 5).
  if (decision.evidence === 'weak' && priority !== 'sweep') return { action: 'none', requeue: 'sweep' };
  if (!mayWithdraw(context, key, decision.evidence)) return { action: 'kept', reason: 'ShrinkFrozen' };
  await rules.verifySource({ signal, maxAgeMs: 0 });
  const outcome = await deleteCopy(context, copyKey, {
    ...{ signal, priority },
    stillSo: () => isStillSo(context, key, judged),
    owner: { ...rules, source: key },
    because: decision.reason,
  });
  if (outcome.action === 'withdrawn') observed.settleAbsence(key);
  return outcome;
}
