import { CLUSTER_LOCATION } from '#api/keys.ts';
import type { KubeObject } from '#api/objects.ts';
import { isRecord } from '#kube/objects.ts';

/** What is read of a Karmada Cluster. Its heartbeats change nothing here. */
export type MemberCluster = { name: string; ready: boolean; location: string | undefined };

/** Reduces a Karmada Cluster to what a removal depends on. */
export function reduceCluster({ metadata, status }: KubeObject): MemberCluster {
  const conditions = isRecord(status) && Array.isArray(status['conditions']) ? status['conditions'].filter(isRecord) : [];
  const ready = conditions.some(({ type, status: value }) => type === 'Ready' && value === 'True');
  // An empty label says as little as none.
  return { name: metadata.name, ready, location: metadata.labels?.[CLUSTER_LOCATION] || undefined };
}
