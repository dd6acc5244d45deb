import type { NamespaceRouting } from '#mirror/namespace-routing.ts';
import type { Observation } from '#mirror/observation.ts';
import { decodeUpstreamCluster } from '#mirror/upstream-name.ts';

/** The project that a cell's namespace belongs to, or why that cannot be said. */
export type Routing =
  | { kind: 'routed'; cluster: string; namespace: string; clusterInFull: string | undefined }
  /** The cell has no such namespace: what was in it is gone. */
  | { kind: 'gone' }
  | { kind: 'held'; reason: 'NamespaceUnread' | 'RoutingUnresolved' | 'RoutingMismatch' };

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
