import type { KubeObject } from '#api/objects.ts';
import type { Priority } from '#kube/gate.ts';
import { listPages } from '#kube/list.ts';
import type { MirrorContext } from '#mirror/mirror-context.ts';
import { keyOf, type ObjectKey } from '#mirror/object-key.ts';
import { findUnclaimed } from '#mirror/unclaimed.ts';

/** Takes one source as it was read, and queues it unless its copy is right already. */
export type Judge<S> = (key: ObjectKey, object: S, priority: Priority) => void;

/** What a sweep saw and asked for. */
export type SweepResult = { sources: number; withoutSource: number; misplaced: number };

/**
 * Compares both ways what the sources' plane holds with what the hub holds: the plane is read live, in pages, never from
 * what is remembered. Sources without a right copy are handed to `judge`; copies and remembered sources that the list did
 * not show are handed to `suspect`, which withdraws nothing by itself: each is read live first (contract section 5).
 * @throws {ApiError} when a page could not be read; then nothing is suspected at all.
 */
export async function sweep<S extends KubeObject>(
  context: MirrorContext<S>,
  options: { signal: AbortSignal; judge: Judge<S>; suspect: (key: ObjectKey) => void },
): Promise<SweepResult> {
  const seen = await judgeAll(context, options);
  const { sources: suspects, misplaced } = findUnclaimed(context, (source) => seen.has(source));
  for (const key of context.observed.keys()) if (!seen.has(key)) suspects.add(key);
  for (const key of suspects) options.suspect(key);
  return { sources: seen.size, withoutSource: suspects.size, misplaced };
}

async function judgeAll<S extends KubeObject>(
  { source, rules }: MirrorContext<S>,
  { signal, judge }: { signal: AbortSignal; judge: Judge<S> },
): Promise<Set<ObjectKey>> {
  const seen = new Set<ObjectKey>();
  for await (const page of listPages<S>(source, { resource: rules.source, labelSelector: rules.selector, signal, priority: 'sweep' })) {
    for (const object of page.items) {
      seen.add(keyOf(object));
      judge(keyOf(object), object, 'repair');
    }
  }
  return seen;
}
