import type { KubeObject } from '#api/objects.ts';
import { listPages } from '#kube/list.ts';
import { isOlder } from '#kube/resource-version.ts';
import { judge } from '#mirror/judge.ts';
import type { MirrorContext } from '#mirror/mirror-context.ts';
import { keyOf, type ObjectKey } from '#mirror/object-key.ts';
import { findUnclaimed } from '#mirror/unclaimed.ts';

/**
 * What a sweep saw, or was shown while it went on: every source, those whose copy or memory no source claims, copies that nobody may touch,
 * and another cluster's.
 */
export type SweepResult = {
  seen: ReadonlySet<ObjectKey>;
  suspects: ReadonlySet<ObjectKey>;
  misplaced: number;
  others: number;
  /** Of the guard, when it began. */
  epoch: number;
};

/**
 * Compares both ways what the sources' plane holds with what the hub holds: the plane is read live, in pages, never from
 * what is remembered. Sources without a right copy are queued; copies and remembered sources that the list did
 * not show are suspects, which withdraws nothing by itself: each is read live first (contract section 5).
 * @throws {ApiError} when a page could not be read; then nothing is suspected at all.
 */
export async function sweep<S extends KubeObject>(context: MirrorContext<S>, options: { signal: AbortSignal }): Promise<SweepResult> {
  const { observed } = context;
  const round = observed.roundStarted();
  const { seen, epoch } = await judgeAll(context, { ...options, round });
  // What an event or a look has shown since it began was there after that, whatever moment the pages are of.
  for (const key of observed.keys()) if (observed.wasSeenIn(round, key)) seen.add(key);
  const { sources: suspects, misplaced, others } = findUnclaimed(context, (source) => seen.has(source));
  for (const key of observed.keys()) if (!seen.has(key)) suspects.add(key);
  return { seen, suspects, misplaced, others, epoch };
}

async function judgeAll<S extends KubeObject>(
  context: MirrorContext<S>,
  { signal, round }: { signal: AbortSignal; round: number },
): Promise<{ seen: Set<ObjectKey>; epoch: number }> {
  const { source, rules, guard } = context;
  const seen = new Set<ObjectKey>();
  const newest = context.newestVersion();
  let { epoch } = guard;
  for await (const page of listPages<S>(source, { resource: rules.source, labelSelector: rules.selector, signal, priority: 'sweep' })) {
    // All pages are of one version.
    if (seen.size === 0 && doubtOlder(context, { version: page.resourceVersion, newest })) epoch = guard.epoch;
    for (const object of page.items) {
      seen.add(keyOf(object));
      judge(context, object, { priority: 'repair', round });
    }
  }
  return { seen, epoch };
}

/**
 * A watch that a restored server keeps open is silent: the sweep may see before it that the plane went back to an older state.
 * @returns whether it did.
 */
function doubtOlder<S extends KubeObject>(
  { guard, log }: MirrorContext<S>,
  { version, newest }: { version: string; newest: string | undefined },
): boolean {
  if (newest === undefined || !isOlder(version, newest)) return false;
  guard.distrust();
  log.warn({ reason: 'WentBack' }, 'A sweep found an older state than the watch has shown');
  return true;
}
