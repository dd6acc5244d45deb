import { CLUSTER_PROPAGATION_POLICIES, SERVING_LOCATIONS } from '#api/resources.ts';
import type { Priority } from '#kube/gate.ts';
import type { Outcome } from '#mirror/mirror-context.ts';
import { annotateRemoval } from '#policies/annotate-removal.ts';
import { decideLocation, type LocationDecision } from '#policies/decide-location.ts';
import type { LocationContext } from '#policies/location-context.ts';
import { lookLive } from '#policies/look-live.ts';
import { removeLocation } from '#policies/remove-location.ts';
import { reportsOf } from '#policies/reports.ts';
import { writeObject } from '#policies/write-object.ts';

type Options = { signal: AbortSignal; priority: Priority };

/**
 * Brings one location on the hub to what its source calls for: observe, decide, stop if equal, apply or remove.
 * What the watches told is enough to see that nothing is to be done. Before anything is written, and in every full pass (the
 * sweep lane), all that the decision rests on is read live and decided again.
 * @throws {ApiError | WaitingError} to the controller; nothing is concluded from a failure.
 */
export async function reconcileLocation(context: LocationContext, name: string, options: Options): Promise<Outcome> {
  const { hub, stores, reporter } = context;
  const lookedMs = hub.clock.monotonicMs();
  let view = stores.view(name, new Date(hub.clock.wallMs()).toISOString());
  let decision = decideLocation(view);
  // A full pass may have seen a Location that its watch has not told of yet: what was reported of it is not over for that.
  const isUntold = view.source.kind === 'absent' && reporter.has(name);
  if (options.priority === 'sweep' || isUntold || !isAtRest(decision)) {
    view = await lookLive(context, name, options);
    decision = decideLocation(view);
  }
  const outcome = await carryOut(context, name, { ...options, decision, lookedMs });
  await reporter.note(name, reportsOf(view), options.signal);
  return outcome;
}

/** True when nothing would be written. A removal is never at rest: what blocks it is looked at each time. */
function isAtRest(decision: LocationDecision): boolean {
  if (decision.kind === 'publish') return !decision.location && !decision.policy && !decision.refused;
  if (decision.kind === 'keep') return !decision.unblock;
  return decision.kind === 'none' || decision.kind === 'wait';
}

async function carryOut(
  context: LocationContext,
  name: string,
  { decision, lookedMs, ...options }: Options & { decision: LocationDecision; lookedMs: number },
): Promise<Outcome> {
  switch (decision.kind) {
    case 'publish':
      return publish(context, decision, options);
    case 'keep':
      if (decision.unblock) await annotateRemoval(context, name, { ...options, over: decision.unblock, text: undefined });
      return { action: 'kept', reason: decision.reason };
    case 'wait':
      return { action: 'waiting', reason: decision.reason };
    case 'refuse':
      return { action: 'refused', reason: 'UnlabelledHubObject' };
    case 'block':
      if (decision.over) await annotateRemoval(context, name, { ...options, over: decision.over, text: decision.text });
      return { action: 'waiting', reason: decision.reason, report: true };
    case 'remove':
      // Whatever is to be published goes first (contract section 5).
      if (options.priority !== 'sweep') return { action: 'none', requeue: 'sweep' };
      return removeLocation(context, name, { ...decision, ...options, lookedMs });
    case 'none':
      return { action: 'none' };
  }
}

async function publish(context: LocationContext, decision: LocationDecision & { kind: 'publish' }, options: Options): Promise<Outcome> {
  const { location, policy, refused } = decision;
  const published = location ? await writeObject(context, location, { ...options, resource: SERVING_LOCATIONS }) : 'none';
  const ruled = policy ? await writeObject(context, policy, { ...options, resource: CLUSTER_PROPAGATION_POLICIES }) : 'none';
  if (refused) return { action: 'refused', reason: 'UnlabelledHubObject' };
  return { action: published === 'none' ? ruled : published };
}
