import type { KubeObject } from '#api/objects.ts';
import { isApiError } from '#kube/errors.ts';
import type { Priority } from '#kube/gate.ts';
import { applyCopy } from '#mirror/apply-copy.ts';
import { deleteCopy } from '#mirror/delete-copy.ts';
import type { MirrorContext, Outcome } from '#mirror/mirror-context.ts';
import { keyOf, type ObjectKey } from '#mirror/object-key.ts';
import { copyDigest } from '#mirror/owned-fields.ts';

/**
 * `source`: the key of the source that calls for the copy. `uid`: of a copy of ours that a live read has found under the name.
 * `stillSo`: asked before a copy goes that has to be made anew. `stillWanted`: asked when any other write is about to leave.
 */
type Options = {
  source: ObjectKey;
  uid?: string | undefined;
  stillSo: () => boolean;
  stillWanted?: (() => boolean) | undefined;
  signal: AbortSignal;
  priority: Priority;
};

/**
 * Makes the copy exactly so, or does nothing when it already is. The only place that writes a copy.
 * Called when what stands under the name is known to be ours or nothing (`occupant.ts`).
 */
export async function publish<S extends KubeObject>(context: MirrorContext<S>, copy: KubeObject, options: Options): Promise<Outcome> {
  const { published } = context;
  const key = keyOf(copy);
  const held = published.get(key);
  if (published.settled(key, copyDigest(copy))) return { action: 'none' };
  if (held?.terminating) return { action: 'waiting', reason: 'CopyTerminating' };
  // One that lost a mark of ours is not in the index: it is put right like any other.
  if (!held && options.uid !== undefined) return update(context, copy, { ...options, uid: options.uid });
  if (!held) return create(context, copy, options);
  if (held.fixed !== '' && held.fixed !== published.describe(copy)?.fixed) return replace(context, copy, options);
  return update(context, copy, { ...options, uid: held.uid });
}

/**
 * The first publication is applied without force: should a foreign object have appeared since the name was read as free,
 * the API server refuses instead of merging our fields into it.
 */
async function create<S extends KubeObject>(context: MirrorContext<S>, copy: KubeObject, options: Options): Promise<Outcome> {
  const { published, log } = context;
  await published.write(copy, async () => {
    const { object, created } = await applyCopy(context, copy, { ...options, force: false });
    if (!created) log.error({ name: keyOf(copy), reason: 'NameTaken' }, 'The first apply met an object that appeared meanwhile');
    return object;
  });
  return { action: 'created' };
}

/** An update carries the uid that was seen: it can neither make a copy anew that is gone, nor touch another object of that name. */
async function update<S extends KubeObject>(
  context: MirrorContext<S>,
  copy: KubeObject,
  options: Options & { uid: string },
): Promise<Outcome> {
  const { published } = context;
  const pinned = { ...copy, metadata: { ...copy.metadata, uid: options.uid } };
  const send = async () => (await applyCopy(context, pinned, { ...options, force: true })).object;
  try {
    await published.write(copy, send);
  } catch (error) {
    // Karmada's claim may have crossed ours (409). One more try at once; a second conflict is for the queue.
    if (!isApiError(error, 'Conflict')) throw error;
    await published.write(copy, send);
  }
  return { action: 'updated' };
}

/**
 * What is immutable, or frozen where Karmada delivered it, only changes by a new object (contract sections 2 and 4).
 * It takes a copy away, so the plane is asked who it is, as before every withdrawal: the source that calls for another copy
 * may be that of another cluster, which stands behind the name by now.
 */
async function replace<S extends KubeObject>(context: MirrorContext<S>, copy: KubeObject, options: Options): Promise<Outcome> {
  await context.rules.verifySource({ signal: options.signal, maxAgeMs: 0 });
  const deleted = await deleteCopy(context, keyOf(copy), {
    ...options,
    owner: { ...context.rules, source: options.source },
    because: 'Replaced',
  });
  if (deleted.action !== 'withdrawn') return deleted;
  // The other half of one act: whatever was learned meanwhile, without it the source would have no copy.
  await create(context, copy, { ...options, stillWanted: undefined });
  return { action: 'replaced' };
}
