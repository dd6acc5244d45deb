import type { KubeObject } from '#api/objects.ts';
import { isNotFound } from '#kube/errors.ts';
import type { Priority } from '#kube/gate.ts';
import { getObject } from '#kube/get.ts';
import type { MirrorContext } from '#mirror/mirror-context.ts';
import { type ObjectKey, splitKey } from '#mirror/object-key.ts';
import type { Occupant } from '#mirror/observation.ts';
import { isAnothers, judgeOccupant } from '#mirror/ownership.ts';

/** What stands under the copy's name, as far as the index knows. Free means only: no copy of ours was seen. */
export function indexedOccupant<S extends KubeObject>({ rules, published }: MirrorContext<S>, source: ObjectKey): Occupant {
  if (!published.complete) return 'unknown';
  const held = published.get(rules.copyKey(source));
  return held ? judgeOccupant(held, { ...rules, source }) : 'free';
}

/** True when a copy that may be this plane's stands under the name for the source, as far as the index knows. */
export function hasCopy<S extends KubeObject>({ rules, published }: MirrorContext<S>, source: ObjectKey): boolean {
  const held = published.get(rules.copyKey(source));
  return held !== undefined && !isAnothers(held, rules);
}

/**
 * What a live read finds under the copy's name, and its uid where there is something. The index learns of a copy of ours that it did not
 * know yet, and that one is gone.
 * @throws {ApiError} when it cannot be read.
 */
export async function liveOccupant<S extends KubeObject>(
  { hub, rules, published }: MirrorContext<S>,
  source: ObjectKey,
  options: { signal: AbortSignal; priority: Priority },
): Promise<{ occupant: Occupant; uid?: string | undefined }> {
  const copyKey = rules.copyKey(source);
  if (copyKey === undefined) return { occupant: 'unknown' };
  try {
    const found = await published.read(copyKey, () => getObject<KubeObject>(hub, { resource: rules.copy, ...splitKey(copyKey) }, options));
    return { occupant: judgeOccupant(published.describe(found), { ...rules, source }), uid: found.metadata.uid };
  } catch (error) {
    if (!isNotFound(error)) throw error;
    published.forget(copyKey, undefined);
    return { occupant: 'free' };
  }
}
