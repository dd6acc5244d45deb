import { type GuardSettings, ShrinkGuard } from '#mirror/shrink-guard.ts';

/**
 * What is kept of a cell's cluster beyond one connection and one location: doubts about it, and how far it has come. A cell that was
 * emptied or restored often has another location at the same moment, and may be fenced for a while.
 */
export type ClusterMemory = { clusterUid: string; guard: ShrinkGuard; newestVersion?: string | undefined };

/** What is known of that cluster already, without what was released meanwhile; or the beginning of it. `random`: of its own for each cluster that is met. */
export function remember(
  known: ClusterMemory | undefined,
  clusterUid: string,
  { settings, random }: { settings: GuardSettings | undefined; random: () => number },
): ClusterMemory {
  if (known?.clusterUid !== clusterUid) return { clusterUid, guard: new ShrinkGuard(settings, String(random())) };
  known.guard.takeBack();
  return known;
}
