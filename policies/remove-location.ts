import { CLUSTER_PROPAGATION_POLICIES, type Resource, SERVING_LOCATIONS } from '#api/resources.ts';
import { deleteObject } from '#kube/delete.ts';
import { isNotFound, NotSentError } from '#kube/errors.ts';
import type { Priority } from '#kube/gate.ts';
import type { Outcome } from '#mirror/mirror-context.ts';
import { PROVES_MS } from '#mirror/observation.ts';
import type { LocationDecision } from '#policies/decide-location.ts';
import type { HeldObject } from '#policies/held-object.ts';
import type { LocationContext } from '#policies/location-context.ts';
import { locationPolicyName } from '#policies/location-policy.ts';

type Removal = LocationDecision & { kind: 'remove' };
type Options = { signal: AbortSignal; priority: Priority };

/**
 * Removes a location from the hub: the serving location, and once that is gone its policy. The only place here that deletes.
 * Called with what a live look has just decided on; each goes only as the very object that was read (uid and resourceVersion
 * are preconditions). An event that says that the Location is there again comes before it, until the very moment when the DELETE leaves;
 * by then the look is not more than a minute old. `lookedMs`: when it began, by the hub's monotonic clock.
 * @throws {ApiError} `Conflict` when one of them changed meanwhile: it is looked at again.
 */
export async function removeLocation(
  context: LocationContext,
  name: string,
  { location, policy, lookedMs, ...options }: Removal & Options & { lookedMs: number },
): Promise<Outcome> {
  const { clock } = context.hub;
  const steps = [
    { resource: SERVING_LOCATIONS, name, held: location },
    { resource: CLUSTER_PROPAGATION_POLICIES, name: locationPolicyName(name), held: policy },
  ];
  for (const { held, ...ref } of steps) {
    if (!held) continue;
    const stillWanted = () => context.stores.sources.get(name).kind !== 'present' && clock.monotonicMs() - lookedMs <= PROVES_MS;
    const result = await deleteAsRead(context, { ref, held }, { ...options, stillWanted });
    if (result === 'unsent') return { action: 'none', requeue: 'live' };
    if (result === 'terminating') return { action: 'waiting', reason: 'CopyTerminating', report: true };
  }
  return { action: 'withdrawn', reason: 'SourceAbsent' };
}

async function deleteAsRead(
  { hub, lastWrites }: LocationContext,
  { ref, held }: { ref: { resource: Resource; name: string }; held: HeldObject },
  options: Options & { stillWanted: () => boolean },
): Promise<'deleted' | 'terminating' | 'unsent'> {
  const { uid, resourceVersion } = held;
  lastWrites.forget(uid);
  try {
    return await deleteObject(hub, ref, { ...options, uid, resourceVersion });
  } catch (error) {
    if (isNotFound(error)) return 'deleted';
    if (error instanceof NotSentError) return 'unsent';
    throw error;
  }
}
