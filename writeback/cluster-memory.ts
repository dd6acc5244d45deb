import type { CellReportStatus } from '#api/objects.ts';
import { type GuardSettings, ShrinkGuard } from '#mirror/shrink-guard.ts';

/**
 * What is kept of a cell's cluster beyond one connection and one location: doubts about it, and how far it has come. A cell that was
 * emptied or restored often has another location at the same moment, and may be fenced for a while.
 */
export type ClusterMemory = { clusterUid: string; guard: ShrinkGuard; newestVersion?: string | undefined };

/**
 * What is known of that cluster already, without what was released meanwhile; or the beginning of it, with what an earlier run has recorded.
 * `random`: draws an id for the guard.
 */
export function remember(
  known: ClusterMemory | undefined,
  clusterUid: string,
  { settings, random, recorded }: { settings: GuardSettings | undefined; random: () => number; recorded: CellReportStatus | undefined },
): ClusterMemory {
  if (known?.clusterUid === clusterUid) {
    known.guard.takeBack();
    return known;
  }
  const { observedVersion: last } = recorded ?? {};
  const newestVersion = last?.clusterUID === clusterUid ? last.resourceVersion : undefined;
  return { clusterUid, guard: new ShrinkGuard(settings, String(random())), newestVersion };
}
