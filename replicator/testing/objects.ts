import fc from 'fast-check';
import { LOCATION, NETWORK, UPSTREAM_CLUSTER_NAME, UPSTREAM_NAMESPACE } from '#api/keys.ts';
import type { KubeObject, ObjectMeta } from '#api/objects.ts';
import { reduceNamespace } from '#mirror/namespace-routing.ts';
import { present } from '#mirror/observation.ts';
import type { ObjectSurroundings } from '#replicator/decide-object.ts';
import type { ObjectOrigin } from '#replicator/desired-object.ts';
import type { ReplicatedKind } from '#replicator/replicated-kind.ts';

/** The kind that the tests replicate. */
export const CONTEXT_KIND: ReplicatedKind = {
  group: 'networking.datumapis.com',
  version: 'v1alpha',
  kind: 'NetworkContext',
  propagatedLabels: [LOCATION, NETWORK],
};

/** Where the tests' sources come from. */
export const ORIGIN: ObjectOrigin = { kind: CONTEXT_KIND, project: 'org/p', clusterUid: 'project-uid', namespaceUid: 'n1' };

/** The hub's namespace for the tests' sources, as it should be. */
export const HUB_NAMESPACE: KubeObject = {
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: 'ns-n1', labels: { [UPSTREAM_CLUSTER_NAME]: 'cluster-org_p', [UPSTREAM_NAMESPACE]: 'default' } },
};

/** A project's object as somebody wrote it, with other metadata where `metadata` says so and another body where `body` does. */
export function sourceObject(metadata: Partial<ObjectMeta> = {}, body: Record<string, unknown> = {}): KubeObject {
  return {
    apiVersion: 'networking.datumapis.com/v1alpha',
    kind: 'NetworkContext',
    metadata: {
      name: 'net-ams',
      namespace: 'default',
      uid: 'source-uid',
      resourceVersion: '7',
      generation: 2,
      labels: { [LOCATION]: 'ams', [NETWORK]: 'net', 'example.com/team': 'blue' },
      annotations: { 'example.com/note': 'mine' },
      finalizers: ['example.com/slow'],
      ...metadata,
    },
    spec: { network: { name: 'net' }, location: { name: 'ams' } },
    status: { conditions: [] },
    ...body,
  };
}

/** Surroundings in which a live object is published. */
export const SETTLED: ObjectSurroundings = {
  kind: CONTEXT_KIND,
  selected: true,
  project: ORIGIN.project,
  identity: { kind: 'bound', uid: ORIGIN.clusterUid },
  projectNamespace: present({ name: 'default', uid: ORIGIN.namespaceUid, isCopy: false }),
  hubNamespace: present(reduceNamespace(HUB_NAMESPACE)),
  occupant: 'free',
};

/** Any name of an object: a DNS subdomain of at most 253 characters, long ones as likely as short ones. */
export const objectNames = fc.oneof(
  fc.stringMatching(/^[a-z0-9]([-a-z0-9]{0,20}[a-z0-9])?$/),
  fc.stringMatching(/^[a-z0-9][-a-z0-9]{60,251}[a-z0-9]$/),
);

/** Any labels or annotations, ours among them. */
export const marks = fc.dictionary(
  fc.oneof(fc.constantFrom(LOCATION, NETWORK, UPSTREAM_CLUSTER_NAME, 'karmada.io/managed'), fc.stringMatching(/^[a-z]{1,5}\/[a-z]{1,5}$/)),
  fc.stringMatching(/^[a-zA-Z0-9]{0,8}$/),
  { noNullPrototype: true },
);
