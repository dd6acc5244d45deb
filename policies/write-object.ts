import type { KubeObject } from '#api/objects.ts';
import { POLICIES_FIELD_MANAGER } from '#api/field-managers.ts';
import type { Resource } from '#api/resources.ts';
import { applyObject } from '#kube/apply.ts';
import type { Priority } from '#kube/gate.ts';
import { removeFields } from '#kube/remove-fields.ts';
import type { Write } from '#policies/decide-location.ts';
import type { LocationContext } from '#policies/location-context.ts';
import { surplusOf } from '#policies/surplus.ts';

type Options = { resource: Resource; signal: AbortSignal; priority: Priority };

/**
 * Makes an object on the hub exactly so, as far as its spec goes. The only place that writes a serving location or a policy.
 * A new one is applied without force: should a foreign object have appeared meanwhile, the API server refuses instead of merging.
 * One that is there is applied over that very object (its uid goes along), and what others added to its spec is removed.
 * @throws {ApiError} `Conflict` when it is not as it was looked at.
 */
export async function writeObject(
  context: LocationContext,
  { object, over }: Write,
  options: Options,
): Promise<'created' | 'updated' | 'none'> {
  if (!over) {
    context.lastWrites.note(object, await apply(context, object, { ...options, force: false }));
    return 'created';
  }
  if (over.blocked === undefined && context.lastWrites.isAnswered(object, over)) return 'none';
  const pinned = { ...object, metadata: { ...object.metadata, uid: over.uid } };
  const applied = await apply(context, pinned, { ...options, force: true });
  context.lastWrites.note(object, await removeSurplus(context, { wanted: object, applied }, options));
  return 'updated';
}

async function apply({ hub }: LocationContext, object: KubeObject, options: Options & { force: boolean }): Promise<KubeObject> {
  return (await applyObject(hub, object, { ...options, fieldManager: POLICIES_FIELD_MANAGER })).object;
}

/** What another manager owns stays through an apply that does not mention it; the spec is ours as a whole. */
async function removeSurplus(
  { hub }: LocationContext,
  { wanted, applied }: { wanted: KubeObject; applied: KubeObject },
  { resource, ...how }: Options,
): Promise<KubeObject> {
  const spec = surplusOf(applied['spec'], wanted['spec']);
  if (spec === undefined) return applied;
  const { name, uid = '', resourceVersion = '' } = applied.metadata;
  const options = { ...how, fields: { spec }, uid, resourceVersion, fieldManager: POLICIES_FIELD_MANAGER };
  return removeFields(hub, { resource, name }, options);
}
