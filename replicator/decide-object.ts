import { KARMADA_MANAGED } from '#api/keys.ts';
import type { KubeObject } from '#api/objects.ts';
import type { Identity } from '#mirror/cluster-identity.ts';
import type { NamespaceRouting } from '#mirror/namespace-routing.ts';
import type { Decision, Observation, Occupant } from '#mirror/observation.ts';
import { desiredObject } from '#replicator/desired-object.ts';
import type { ProjectNamespace } from '#replicator/project-namespace.ts';
import type { ReplicatedKind } from '#replicator/replicated-kind.ts';

/** All that the fate of a project's object depends on besides the object. */
export type ObjectSurroundings = {
  kind: ReplicatedKind;
  /** Whether the configured selector matches the object. */
  selected: boolean;
  project: string;
  identity: Identity;
  /** The namespace that the object lives in. */
  projectNamespace: Observation<ProjectNamespace>;
  /** The hub's namespace for it. */
  hubNamespace: Observation<NamespaceRouting>;
  /** What stands on the hub under the copy's name. */
  occupant: Occupant;
};

/**
 * What to bring about for one object of a project (contract sections 3 and 5). Pure and total.
 * An object that is being deleted keeps its copy until it is gone: whoever holds it by a finalizer may still need what the
 * copy stands for, and no finalizer of ours delays it.
 */
export function decideObject(object: Observation<KubeObject>, around: ObjectSurroundings): Decision<KubeObject> {
  const { identity, projectNamespace } = around;
  if (identity.kind === 'unbound') return keep(identity.reason);
  if (object.kind === 'unknown') return keep(object.why);
  if (projectNamespace.kind === 'unknown') return keep('NamespaceUnread');
  if (projectNamespace.kind === 'present' && projectNamespace.object.isCopy) return keep('NamespaceIsCopy');
  if (object.kind === 'absent') return { kind: 'withdraw', reason: 'SourceAbsent', evidence: object.evidence };
  if (object.object.metadata.labels?.[KARMADA_MANAGED] === 'true') return keep('KarmadaManaged');
  if (!around.selected) return { kind: 'withdraw', reason: 'NotSelected', evidence: 'strong' };
  if (projectNamespace.kind === 'absent') return keep('NamespaceGone');
  const obstacle = obstacleOnHub(around);
  const { kind, project } = around;
  const origin = { kind, project, clusterUid: identity.uid, namespaceUid: projectNamespace.object.uid };
  return obstacle ?? { kind: 'copy', copy: desiredObject(object.object, origin) };
}

function obstacleOnHub({ occupant, hubNamespace }: ObjectSurroundings): Decision<never> | undefined {
  if (occupant === 'foreign') return { kind: 'refuse', reason: 'NameTaken' };
  if (occupant === 'unknown') return keep('HubUnread');
  // One that is missing is made on the way (`hub-namespaces.ts`); one that is going must be gone first.
  if (hubNamespace.kind === 'unknown') return { kind: 'wait', reason: 'HubNamespaceUnread' };
  if (hubNamespace.kind === 'present' && hubNamespace.object.terminating) return { kind: 'wait', reason: 'HubNamespaceTerminating' };
  return undefined;
}

function keep(reason: string): Decision<never> {
  return { kind: 'keep', reason };
}
