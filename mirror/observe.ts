import type { KubeObject } from '#api/objects.ts';
import { isNotFound } from '#kube/errors.ts';
import { getObject } from '#kube/get.ts';
import type { Priority } from '#kube/gate.ts';
import type { MirrorContext } from '#mirror/mirror-context.ts';
import { absent, type Observation, present, unknown } from '#mirror/observation.ts';
import { type ObjectKey, splitKey } from '#mirror/object-key.ts';

/** An observation, and whether it was made by a live read for this very reconcile. */
export type Sighting<S> = { observation: Observation<S>; live: boolean };

/**
 * What is known of a source now: the version that its last event carried, else a live read.
 * @throws {ApiError} when the read failed: nothing may be concluded from that.
 */
export async function observe<S extends KubeObject>(
  context: MirrorContext<S>,
  key: ObjectKey,
  options: { signal: AbortSignal; priority: Priority },
): Promise<Sighting<S>> {
  const object = context.dirty.take(key);
  if (object) return { observation: present(object), live: false };
  return { observation: await observeLive(context, key, options), live: true };
}

/**
 * What a quorum read of the source says, once the plane has said who it is. Absent only when the server that serves the kind says
 * 404 for this name, after a list of it was complete (contract section 5, "Proof of absence").
 * @throws {ApiError} for every other answer.
 */
export async function observeLive<S extends KubeObject>(
  { source, rules, observed, dirty }: MirrorContext<S>,
  key: ObjectKey,
  options: { signal: AbortSignal; priority: Priority },
): Promise<Observation<S>> {
  await rules.askSource(options.signal);
  try {
    const object = await getObject<S>(source, { resource: rules.source, ...splitKey(key) }, options);
    dirty.proven(key, 'present');
    return present(object);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    dirty.proven(key, 'absent');
    return observed.complete ? absent(observed.evidence(key)) : unknown('NotListed');
  }
}
