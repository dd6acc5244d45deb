import type { KubeObject } from '#api/objects.ts';
import type { Priority } from '#kube/gate.ts';
import { deleteCopy } from '#mirror/delete-copy.ts';
import type { MirrorContext, Outcome } from '#mirror/mirror-context.ts';
import type { ObjectKey } from '#mirror/object-key.ts';

/**
 * Deletes the copies of a source that stand in the wrong place. Called when the right copy is known to be up, or the source
 * proven gone. Each must still say of itself, read live, that it is a copy of this source from this cluster.
 */
export async function retireStrays<S extends KubeObject>(
  context: MirrorContext<S>,
  source: ObjectKey,
  options: { signal: AbortSignal; priority: Priority; stillSo: () => boolean },
): Promise<Outcome> {
  const { strays, published, rules } = context;
  let last: Outcome = { action: 'none' };
  for (const copyKey of strays.get(source) ?? []) {
    const origin = published.get(copyKey)?.origin;
    // It went meanwhile, or turned out to stand where it should.
    if (origin === undefined || copyKey === rules.copyKey(source)) continue;
    const owner = { ...rules, origin, source };
    last = await deleteCopy(context, copyKey, { ...options, owner, because: 'Misplaced' });
    if (last.action !== 'withdrawn') return last;
  }
  strays.delete(source);
  return last;
}
