import type { KubeObject } from '#api/objects.ts';
import type { Resource } from '#api/resources.ts';
import { applyObject } from '#kube/apply.ts';
import type { Client } from '#kube/client.ts';
import { isApiError } from '#kube/errors.ts';
import type { Priority } from '#kube/gate.ts';
import { knownFields } from '#kube/known-fields.ts';
import type { Log } from '#kube/log.ts';
import { keyOf } from '#mirror/object-key.ts';

/** Where copies go: the part of a mirror's context that is needed here. */
export type CopyTarget = { hub: Client; rules: { copy: Resource; fieldManager: string }; log: Log };

/**
 * Applies a copy, or where the hub's definition of the kind is older than the source's, as much of it as the hub knows.
 * An API server drops a field that it does not know from every other write, and answers an apply of it with 500.
 * @throws {ApiError} the hub's answer to the whole copy, where unknown fields are not the reason.
 */
export async function applyCopy(
  { hub, rules, log }: CopyTarget,
  copy: KubeObject,
  options: { force: boolean; signal: AbortSignal; priority: Priority; stillWanted?: (() => boolean) | undefined },
): Promise<{ object: KubeObject; created: boolean }> {
  const how = { ...options, resource: rules.copy, fieldManager: rules.fieldManager };
  try {
    return await applyObject(hub, copy, how);
  } catch (error) {
    if (!isApiError(error, 'ServerError') || error.status !== 500) throw error;
    const known = await knownFields(hub, copy, how).catch(() => undefined);
    if (!known) throw error;
    log.warn({ name: keyOf(copy), reason: 'FieldsUnknown' }, 'The hub does not know every field of a copy: it has the others');
    return applyObject(hub, known, how);
  }
}
