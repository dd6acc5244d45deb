import type { KubeObject } from '#api/objects.ts';
import { isNotFound } from '#kube/errors.ts';
import { getObject } from '#kube/get.ts';
import type { Priority } from '#kube/gate.ts';
import type { MirrorContext } from '#mirror/mirror-context.ts';
import { absent, type Observation, present, unknown } from '#mirror/observation.ts';
import { type ObjectKey, splitKey } from '#mirror/object-key.ts';

/** An observation, and when it began, by the source's monotonic clock, if it was a live read for this very reconcile. */
export type Sighting<S> = { observation: Observation<S>; liveMs: number | undefined };

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
  return object ? { observation: present(object), liveMs: undefined } : observeLive(context, key, options);
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
): Promise<Sighting<S>> {
  await rules.askSource(options.signal);
  const liveMs = source.clock.monotonicMs();
  try {
    const object = await getObject<S>(source, { resource: rules.source, ...splitKey(key) }, options);
    dirty.proven(key, 'present');
    return { observation: present(object), liveMs };
  } catch (error) {
    if (!isNotFound(error)) throw error;
    dirty.proven(key, 'absent');
    return { observation: observed.complete ? absent(observed.evidence(key)) : unknown('NotListed'), liveMs };
  }
}
