import { CLUSTER_LOCATION } from '#api/keys.ts';
import type { MemberCluster } from '#policies/member-cluster.ts';

/** Why a location that is gone at its source stays on the hub. */
export type BlockReason = 'EmptySourceList' | 'ClustersStillServing' | 'FleetNotFullyLabelled';

/** A blocked removal. The message names clusters in order, so that the same state gives the same words. */
export type Block = { reason: BlockReason; message: string };

/** What the guards look at. */
export type GuardedRemoval = {
  location: string;
  /** How many Locations the source lists, in a complete list. */
  sourceCount: number;
  clusters: readonly MemberCluster[];
  /** An operator takes the answer for the clusters. It never stands for an empty list, which says nothing about any location. */
  override: boolean;
};

/** The guard that holds a removal, if any (contract section 4). A cluster that is not Ready blocks nothing. */
export function findBlock({ location, sourceCount, clusters, override }: GuardedRemoval): Block | undefined {
  if (sourceCount === 0) return { reason: 'EmptySourceList', message: 'the source lists no Location at all' };
  if (override) return undefined;
  const ready = clusters.filter((cluster) => cluster.ready);
  const serving = ready.filter((cluster) => cluster.location === location);
  if (serving.length > 0) return { reason: 'ClustersStillServing', message: `Ready with location "${location}": ${namesOf(serving)}` };
  const unlabelled = ready.filter((cluster) => cluster.location === undefined);
  if (unlabelled.length === 0) return undefined;
  return { reason: 'FleetNotFullyLabelled', message: `Ready without label ${CLUSTER_LOCATION}: ${namesOf(unlabelled)}` };
}

function namesOf(clusters: readonly MemberCluster[]): string {
  return clusters
    .map(({ name }) => name)
    .sort()
    .join(', ');
}
