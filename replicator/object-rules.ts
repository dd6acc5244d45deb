import { REPLICATOR_FIELD_MANAGER } from '#api/field-managers.ts';
import { UPSTREAM_CLUSTER_NAME } from '#api/keys.ts';
import type { KubeObject } from '#api/objects.ts';
import type { Resource } from '#api/resources.ts';
import { matchesSelector, parseSelector } from '#kube/label-selector.ts';
import type { ClusterIdentity } from '#mirror/cluster-identity.ts';
import type { NamespaceRouting } from '#mirror/namespace-routing.ts';
import { joinKey, splitKey } from '#mirror/object-key.ts';
import { absent, unknown } from '#mirror/observation.ts';
import type { ReducedStore } from '#mirror/reduced-store.ts';
import type { MirrorRules } from '#mirror/rules.ts';
import { encodeUpstreamCluster } from '#mirror/upstream-name.ts';
import { decideObject } from '#replicator/decide-object.ts';
import type { HubNamespaces } from '#replicator/hub-namespaces.ts';
import { hubNamespaceName, type ProjectNamespace } from '#replicator/project-namespace.ts';
import { controllerName, type ReplicatedKind } from '#replicator/replicated-kind.ts';

/** What the rules read when they decide. */
export type ObjectRulesOptions = {
  kind: ReplicatedKind;
  resource: Resource;
  project: string;
  clusterUid: string;
  identity: ClusterIdentity;
  projectNamespaces: ReducedStore<ProjectNamespace>;
  hubNamespaces: ReducedStore<NamespaceRouting>;
  /** Makes hub namespaces. */
  namespaces: HubNamespaces;
};

/** The replication of one kind from one project, as the engine runs it. */
export function objectRules(options: ObjectRulesOptions): MirrorRules<KubeObject> {
  const { kind, resource, project, clusterUid, identity, projectNamespaces } = options;
  const selector = parseSelector(kind.selector ?? '');
  const selects = ({ metadata }: KubeObject) => matchesSelector(selector, metadata.labels ?? {});
  return {
    controller: controllerName(kind),
    fieldManager: REPLICATOR_FIELD_MANAGER,
    source: resource,
    selector: kind.selector ?? '',
    selects,
    copy: resource,
    origin: encodeUpstreamCluster(project) ?? UPSTREAM_CLUSTER_NAME,
    sourceCluster: clusterUid,
    copyKey: (source) => {
      const { namespace = '', name } = splitKey(source);
      const known = projectNamespaces.get(namespace);
      return known.kind === 'present' ? joinKey(hubNamespaceName(known.object.uid), name) : undefined;
    },
    decide: (source, observation, occupant) => {
      const projectNamespace = projectNamespaces.get(splitKey(source).namespace ?? '');
      return decideObject(observation, {
        ...{ kind, project, identity: identity.state, projectNamespace, occupant },
        selected: observation.kind === 'present' && selects(observation.object),
        hubNamespace: hubNamespaceOf(projectNamespace, options.hubNamespaces),
      });
    },
    prepare: (source, how) => options.namespaces.ensure(splitKey(source).namespace ?? '', how),
    askSource: (signal) => identity.ask(signal),
    verifySource: (how) => identity.verify(how),
  };
}

function hubNamespaceOf(
  projectNamespace: ReturnType<ReducedStore<ProjectNamespace>['get']>,
  hubNamespaces: ReducedStore<NamespaceRouting>,
) {
  if (projectNamespace.kind === 'present') return hubNamespaces.get(hubNamespaceName(projectNamespace.object.uid));
  return projectNamespace.kind === 'absent' ? absent<NamespaceRouting>('weak') : unknown<NamespaceRouting>(projectNamespace.why);
}
