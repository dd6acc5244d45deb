import { POLICIES_FIELD_MANAGER } from '#api/field-managers.ts';
import { SERVING_LOCATIONS } from '#api/resources.ts';
import { applyObject } from '#kube/apply.ts';
import type { Priority } from '#kube/gate.ts';
import type { HeldObject } from '#policies/held-object.ts';
import type { LocationContext } from '#policies/location-context.ts';
import { heldServingLocation } from '#policies/serving-location.ts';

/**
 * Writes the removal-blocked annotation on a serving location, or takes it off where there is no text. What else of it is ours
 * goes along as it was read, since an apply drops what it leaves out.
 * @throws {ApiError} `Conflict` when it changed since it was looked at.
 */
export async function annotateRemoval(
  { hub }: LocationContext,
  name: string,
  { over, text, ...options }: { over: HeldObject; text: string | undefined; signal: AbortSignal; priority: Priority },
): Promise<void> {
  const { uid, resourceVersion, spec } = over;
  const object = heldServingLocation(name, { spec, blocked: text });
  const pinned = { ...object, metadata: { ...object.metadata, uid, resourceVersion } };
  await applyObject(hub, pinned, { ...options, resource: SERVING_LOCATIONS, fieldManager: POLICIES_FIELD_MANAGER, force: true });
}
