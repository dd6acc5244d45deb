import { UPSTREAM_CLUSTER_NAME, UPSTREAM_NAMESPACE } from '#api/keys.ts';
import type { KubeObject } from '#api/objects.ts';
import type { Observation } from '#mirror/observation.ts';
import { decodeUpstreamCluster } from '#mirror/upstream-name.ts';

/** What is kept of a namespace: the two routing labels as they are, and whether it is going. */
export type NamespaceRouting = {
  cluster: string | undefined;
  namespace: string | undefined;
  /** The full value where the label had to be shortened; carried along with the label. */
  clusterInFull: string | undefined;
  terminating: boolean;
};

/** The project that a cell's namespace belongs to, or why that cannot be said. */
export type Routing =
  | { kind: 'routed'; cluster: string; namespace: string; clusterInFull: string | undefined }
  /** The cell has no such namespace: what was in it is gone. */
  | { kind: 'gone' }
  | { kind: 'held'; reason: 'NamespaceUnread' | 'RoutingUnresolved' | 'RoutingMismatch' };

/** Reduces a namespace to what routing reads of it. */
export function reduceNamespace({ metadata }: KubeObject): NamespaceRouting {
  return {
    cluster: metadata.labels?.[UPSTREAM_CLUSTER_NAME],
    namespace: metadata.labels?.[UPSTREAM_NAMESPACE],
    clusterInFull: metadata.annotations?.[UPSTREAM_CLUSTER_NAME],
    terminating: metadata.deletionTimestamp !== undefined,
  };
}

/**
 * Project routing (contract section 2): the cell's namespace must carry both labels, and the hub's namespace of the same
 * name is the authority. While it is held, nothing in that namespace is published or withdrawn.
 */
export function resolveRouting(cell: Observation<NamespaceRouting>, hub: Observation<NamespaceRouting>): Routing {
  if (cell.kind === 'unknown' || hub.kind === 'unknown') return { kind: 'held', reason: 'NamespaceUnread' };
  if (cell.kind === 'absent') return { kind: 'gone' };
  const { cluster, namespace, clusterInFull } = cell.object;
  if (!cluster || !namespace || !decodeUpstreamCluster(cluster)) return { kind: 'held', reason: 'RoutingUnresolved' };
  if (hub.kind === 'present' && (hub.object.cluster !== cluster || hub.object.namespace !== namespace))
    return { kind: 'held', reason: 'RoutingMismatch' };
  return { kind: 'routed', cluster, namespace, clusterInFull };
}
