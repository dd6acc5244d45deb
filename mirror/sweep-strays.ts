import type { KubeObject } from '#api/objects.ts';
import { carryOut } from '#mirror/carry-out.ts';
import { isSettled, isStillSo, type Judged, judgeLive, type Look, note } from '#mirror/judgement.ts';
import { mayWithdraw } from '#mirror/may-withdraw.ts';
import type { MirrorContext, Outcome } from '#mirror/mirror-context.ts';
import type { ObjectKey } from '#mirror/object-key.ts';
import { hasCopy, indexedOccupant, liveOccupant } from '#mirror/occupant.ts';
import { retireStrays } from '#mirror/retire-strays.ts';

/**
 * Takes away the copies of a source that stand in a wrong place, once the right one was read live, or the source is gone.
 * Strays go last of all, in the lane that runs only when nothing is being published (contract section 2, "Location of a cell").
 * @throws {ApiError | WaitingError} when a read or a write fails: the strays stay.
 */
export async function sweepStrays<S extends KubeObject>(context: MirrorContext<S>, key: ObjectKey, look: Look): Promise<Outcome> {
  if (look.priority !== 'sweep') return { action: 'none', requeue: 'sweep' };
  const judged = { ...look, ...(await judgeLive(context, key, look)) };
  note(context, key, judged);
  const instead = (await sourceFirst(context, key, judged)) ?? (await unlessRight(context, key, judged));
  if (instead) return instead;
  await context.rules.verifySource({ signal: look.signal, maxAgeMs: 0 });
  // Somebody may take the right copy away meanwhile.
  const isUp = () => judged.decision.kind === 'withdraw' || isSettled(context, key);
  return retireStrays(context, key, { ...look, stillSo: () => isUp() && isStillSo(context, key, judged) });
}

/** Queues the strays again once the source is settled, or gone with its copy. */
export function thenStrays<S extends KubeObject>(context: MirrorContext<S>, key: ObjectKey, outcome: Outcome): Outcome {
  // A source that is still there and leaving is never settled.
  const isWithdrawn = !hasCopy(context, key) && outcome.requeue === undefined && ['none', 'withdrawn'].includes(outcome.action);
  return isWithdrawn || isSettled(context, key) ? { ...outcome, requeue: 'sweep' } : outcome;
}

/** Does what the source calls for. Nothing is returned where that is done already, and the strays may be next. */
async function sourceFirst<S extends KubeObject>(
  context: MirrorContext<S>,
  key: ObjectKey,
  judged: Judged<S>,
): Promise<Outcome | undefined> {
  const { kind } = judged.decision;
  // A source that is passed over, empty or held keeps whatever copy it has, wherever that stands.
  if (kind !== 'copy' && kind !== 'withdraw') return carryOut(context, key, judged);
  if (isSettled(context, key)) return undefined;
  const outcome = await carryOut(context, key, judged);
  // A source that is leaving needs no copy anywhere, whoever has taken the name of the right one, or may have.
  const isTaken = outcome.action === 'refused' || indexedOccupant(context, key) !== 'ours';
  return kind === 'withdraw' && isTaken ? undefined : thenStrays(context, key, outcome);
}

/** What is done instead where the guard holds the withdrawal, or a live read does not find the right copy in its place. */
async function unlessRight<S extends KubeObject>(
  context: MirrorContext<S>,
  key: ObjectKey,
  judged: Judged<S>,
): Promise<Outcome | undefined> {
  const { rules } = context;
  const { decision, observation, signal, priority } = judged;
  if (decision.kind === 'withdraw')
    return mayWithdraw(context, key, decision.evidence) ? undefined : { action: 'kept', reason: 'ShrinkFrozen' };
  await rules.verifyPlace?.(signal);
  const { occupant } = await liveOccupant(context, key, { signal, priority });
  if (occupant === 'ours') return undefined;
  const outcome = await carryOut(context, key, { ...judged, decision: rules.decide(key, observation, occupant) });
  return occupant === 'free' ? thenStrays(context, key, outcome) : outcome;
}
