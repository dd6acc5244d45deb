import {
  SOURCE_CLUSTER_UID,
  SOURCE_UID,
  UPSTREAM_CLUSTER_NAME,
  UPSTREAM_GROUP,
  UPSTREAM_KIND,
  UPSTREAM_NAME,
  UPSTREAM_NAMESPACE,
} from '#api/keys.ts';
import type { KubeObject } from '#api/objects.ts';
import { labelled } from '#mirror/label-value.ts';
import { encodeUpstreamCluster } from '#mirror/upstream-name.ts';
import { hubNamespaceName } from '#replicator/project-namespace.ts';
import type { ReplicatedKind } from '#replicator/replicated-kind.ts';

/** Where a source lives, and as what. */
export type ObjectOrigin = {
  kind: ReplicatedKind;
  /** The project's name. */
  project: string;
  /** UID of the project's `kube-system` namespace. */
  clusterUid: string;
  /** UID of the source's namespace. */
  namespaceUid: string;
};

/**
 * The hub's copy of a project's object (contract section 3): same name, the body whole but for the status; of the source's
 * labels the propagated ones, of its annotations none.
 */
export function desiredObject(source: KubeObject, origin: ObjectOrigin): KubeObject {
  const { metadata, status: _status, apiVersion: _apiVersion, kind: _kind, ...body } = source;
  const { group, version, kind, propagatedLabels } = origin.kind;
  const computed = labelled({
    ...routingValues(origin.project, metadata.namespace ?? ''),
    [UPSTREAM_GROUP]: group,
    [UPSTREAM_KIND]: kind,
    [UPSTREAM_NAME]: metadata.name,
  });
  return {
    apiVersion: group === '' ? version : `${group}/${version}`,
    kind,
    metadata: {
      name: metadata.name,
      namespace: hubNamespaceName(origin.namespaceUid),
      labels: { ...pick(metadata.labels, propagatedLabels), ...computed.labels },
      annotations: { ...computed.annotations, [SOURCE_UID]: metadata.uid ?? '', [SOURCE_CLUSTER_UID]: origin.clusterUid },
    },
    ...body,
  };
}

/** The hub's namespace for a project's namespace: our two labels and nothing else, so that others' stay (contract section 3). */
export function desiredNamespace(namespace: { name: string; uid: string }, project: string): KubeObject {
  const { labels, annotations } = labelled(routingValues(project, namespace.name));
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name: hubNamespaceName(namespace.uid), labels, annotations } };
}

function routingValues(project: string, namespace: string): Record<string, string | undefined> {
  return { [UPSTREAM_CLUSTER_NAME]: encodeUpstreamCluster(project), [UPSTREAM_NAMESPACE]: namespace };
}

function pick(labels: Record<string, string> | undefined, keys: readonly string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(labels ?? {}).filter(([key]) => keys.includes(key)));
}
