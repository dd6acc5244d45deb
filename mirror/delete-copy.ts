import type { KubeObject } from '#api/objects.ts';
import { deleteObject } from '#kube/delete.ts';
import { isNotFound, type ObjectRef } from '#kube/errors.ts';
import { getObject } from '#kube/get.ts';
import type { Priority } from '#kube/gate.ts';
import type { MirrorContext, Outcome } from '#mirror/mirror-context.ts';
import { type ObjectKey, splitKey } from '#mirror/object-key.ts';
import { mayDelete, type Owner } from '#mirror/ownership.ts';

/**
 * `owner`: whose copy it must be. `because`: its source was proven gone or no longer calls for it, or it is made anew at once.
 * `stillSo`: asked when the DELETE is about to leave; false when an event has overtaken what it rests on.
 */
export type DeleteOptions = { owner: Owner; signal: AbortSignal; priority: Priority; because: string; stillSo?: () => boolean };

/**
 * Deletes the copy under `key`, if it is its owner's. The only place that deletes anything.
 * The copy is read live, must carry every mark of its owner, and goes only as the very object that was read
 * (uid and resourceVersion are preconditions). `withdrawn` also when it was gone already.
 * @throws {NotSentError} when it is not so any more; {ApiError}.
 */
export async function deleteCopy<S extends KubeObject>(
  context: MirrorContext<S>,
  key: ObjectKey,
  options: DeleteOptions,
): Promise<Outcome> {
  const { hub, rules, published } = context;
  const ref = { resource: rules.copy, ...splitKey(key) };
  try {
    const found = await getObject<KubeObject>(hub, ref, options);
    if (!mayDelete(published.describe(found), options.owner)) return { action: 'refused', reason: 'NameTaken', report: true };
    if (found.metadata.deletionTimestamp !== undefined) return { action: 'waiting', reason: 'CopyTerminating', report: true };
    return await deleteAsRead(context, found, { ...options, ref, key });
  } catch (error) {
    if (!isNotFound(error)) throw error;
    published.forget(key, undefined);
    return { action: 'withdrawn', reason: options.because };
  }
}

async function deleteAsRead<S extends KubeObject>(
  { hub, published }: MirrorContext<S>,
  found: KubeObject,
  { ref, key, because, stillSo, ...options }: DeleteOptions & { ref: ObjectRef; key: ObjectKey },
): Promise<Outcome> {
  const { uid = '', resourceVersion = '' } = found.metadata;
  const result = await deleteObject(hub, ref, { ...options, uid, resourceVersion, stillWanted: stillSo });
  // A finalizer of somebody else's holds it. It is looked at again with growing delay, and the operator is told.
  if (result === 'terminating') return { action: 'waiting', reason: 'CopyTerminating', report: true };
  published.forget(key, uid);
  return { action: 'withdrawn', reason: because };
}
