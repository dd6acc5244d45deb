import fc from 'fast-check';
import { SRV6_SID, TENANT_ID, UPSTREAM_CLUSTER_NAME, UPSTREAM_NAMESPACE } from '#api/keys.ts';
import type { EndpointSlice, KubeObject, ObjectMeta } from '#api/objects.ts';
import { reduceNamespace } from '#mirror/namespace-routing.ts';
import { present } from '#mirror/observation.ts';
import type { SliceSurroundings } from '#writeback/decide-slice.ts';
import type { SliceOrigin } from '#writeback/desired-slice.ts';

/** Where a test's slices come from. */
export const ORIGIN: SliceOrigin = {
  location: 'ams-1',
  clusterUid: 'cell-uid',
  cluster: 'cluster-project-a',
  namespace: 'default',
  clusterInFull: undefined,
};

/** A slice as a pod producer writes it, with other metadata where `metadata` says so and another body where `body` does. */
export function sourceSlice(metadata: Partial<ObjectMeta> = {}, body: Record<string, unknown> = {}): EndpointSlice {
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      name: 'pod-a',
      namespace: 'ns-1',
      uid: 'source-uid',
      resourceVersion: '7',
      labels: { [TENANT_ID]: 'Ab3-Zz9' },
      annotations: { [TENANT_ID]: 'Ab3-Zz9', [SRV6_SID]: 'fc00:0:1::' },
      ownerReferences: [{ kind: 'Pod', name: 'pod-a' }],
      ...metadata,
    },
    addressType: 'IPv6',
    endpoints: [{ addresses: ['fd00::1'], conditions: { ready: true }, targetRef: { kind: 'Pod', name: 'pod-a' } }],
    ports: null,
    ...body,
  };
}

/** A namespace with both routing labels, or with others. */
export function namespaceWith(labels: Record<string, string>, more: Partial<ObjectMeta> = {}): KubeObject {
  return { metadata: { name: 'ns-1', labels, ...more } };
}

/** The two labels that route a namespace to `ORIGIN`'s project. */
export const ROUTING_LABELS = { [UPSTREAM_CLUSTER_NAME]: ORIGIN.cluster, [UPSTREAM_NAMESPACE]: ORIGIN.namespace };

/** Any location name: a DNS label of at most 63 characters. */
export const locationNames = fc.stringMatching(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/);

/** Any source name: a DNS subdomain of at most 253 characters, long ones as likely as short ones. */
export const sourceNames = fc.oneof(
  fc.stringMatching(/^[a-z0-9]([-a-z0-9]{0,20}[a-z0-9])?(\.[a-z0-9]([-a-z0-9]{0,20}[a-z0-9])?){0,3}$/),
  fc.stringMatching(/^[a-z0-9]([-.a-z0-9]{198,251}[a-z0-9])?$/).filter((name) => !/[-.]\.|\.[-.]/.test(name)),
  fc.stringMatching(/^[a-z0-9][-a-z0-9]{198,251}[a-z0-9]$/),
);

/** Surroundings in which a live slice is published. */
export const SETTLED: SliceSurroundings = {
  paused: false,
  location: { kind: 'resolved', name: ORIGIN.location, from: 'delivered' },
  identity: { kind: 'bound', uid: ORIGIN.clusterUid },
  cellNamespace: present(reduceNamespace(namespaceWith(ROUTING_LABELS))),
  hubNamespace: present(reduceNamespace(namespaceWith(ROUTING_LABELS))),
  occupant: 'free',
};
