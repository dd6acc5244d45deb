import type { KubeObject } from '#api/objects.ts';
import { NotSentError } from '#kube/errors.ts';
import type { Priority } from '#kube/gate.ts';
import { carryOut } from '#mirror/carry-out.ts';
import { decide, isSettled, judgeLive, type Look, note } from '#mirror/judgement.ts';
import type { MirrorContext, Outcome } from '#mirror/mirror-context.ts';
import type { ObjectKey } from '#mirror/object-key.ts';
import { observe } from '#mirror/observe.ts';
import { sweepStrays, thenStrays } from '#mirror/sweep-strays.ts';

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
  const look = { ...options, glance };
  try {
    if (hasStrays && (options.priority === 'sweep' || isSettled(context, key))) return await sweepStrays(context, key, look);
    const outcome = await reconcileSource(context, key, look);
    return hasStrays ? thenStrays(context, key, outcome) : outcome;
  } catch (error) {
    // What it rested on changed while a write waited for its turn: it is judged anew at once.
    if (error instanceof NotSentError) return { action: 'none', requeue: 'live' };
    throw error;
  } finally {
    context.observed.endGlance(key);
  }
}

async function reconcileSource<S extends KubeObject>(context: MirrorContext<S>, key: ObjectKey, look: Look): Promise<Outcome> {
  const sighting = await observe(context, key, look);
  const decision = decide(context, key, sighting.observation);
  const isProven = decision.kind !== 'withdraw' || sighting.liveMs !== undefined;
  const judged = { ...look, ...(isProven ? { ...sighting, decision } : await judgeLive(context, key, look)) };
  note(context, key, judged);
  return carryOut(context, key, judged);
}
