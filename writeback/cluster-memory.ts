import type { CellReportStatus } from '#api/objects.ts';
import { type GuardSettings, ShrinkGuard } from '#mirror/shrink-guard.ts';

/**
 * What is kept of a cell's cluster beyond one connection and one location: doubts about it, and how far it has come. A cell that was
 * emptied or restored often has another location at the same moment, and may be fenced for a while.
 */
export type ClusterMemory = { clusterUid: string; guard: ShrinkGuard; newestVersion?: string | undefined };

/** Of what a guard is made. `random`: draws an id for it. */
type GuardOptions = { settings: GuardSettings | undefined; random: () => number };

/**
 * What is known of that cluster already, without what was released meanwhile; or the beginning of it, with what an earlier run has recorded.
 */
export function remember(
  known: ClusterMemory | undefined,
  clusterUid: string,
  { settings, random, recorded }: GuardOptions & { recorded: CellReportStatus | undefined },
): ClusterMemory {
  const { observedVersion: last } = recorded ?? {};
  const newestVersion = last?.clusterUID === clusterUid ? last.resourceVersion : undefined;
  if (known?.clusterUid !== clusterUid) return { clusterUid, guard: new ShrinkGuard(settings, String(random())), newestVersion };
  known.guard.takeBack();
  known.newestVersion ??= newestVersion;
  return known;
}

/**
 * What is kept when a connection ends, where another cluster than the bound one may have answered last: how far that one has come, and the
 * doubts, since an operator may bind the name to it. How far the bound one had come is on record, and left to that.
 */
export function attribute(memory: ClusterMemory, answeredUid: string | undefined, { settings, random }: GuardOptions): ClusterMemory[] {
  const { clusterUid, guard, newestVersion } = memory;
  if (answeredUid === undefined || answeredUid === clusterUid) return [memory];
  const other = { clusterUid: answeredUid, guard: new ShrinkGuard(settings, String(random())), newestVersion };
  if (guard.distrustful) other.guard.distrust();
  return [{ clusterUid, guard, newestVersion: undefined }, other];
}
