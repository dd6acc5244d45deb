import { KARMADA_MANAGED, SLICE_PROJECTION, TENANT_ID } from '#api/keys.ts';
import type { EndpointSlice, KubeObject } from '#api/objects.ts';
import type { Decision, Observation, Occupant } from '#mirror/observation.ts';
import type { Identity } from '#mirror/cluster-identity.ts';
import { desiredSlice } from '#writeback/desired-slice.ts';
import type { Location } from '#writeback/location.ts';
import type { NamespaceRouting } from '#mirror/namespace-routing.ts';
import { resolveRouting } from '#writeback/routing.ts';

/** All that a slice's fate depends on besides the slice. */
export type SliceSurroundings = {
  /** An operator has paused the cell. */
  paused: boolean;
  location: Location;
  identity: Identity;
  cellNamespace: Observation<NamespaceRouting>;
  hubNamespace: Observation<NamespaceRouting>;
  /** What stands on the hub under the copy's name. */
  occupant: Occupant;
};

/**
 * The decision table of contract section 2, top to bottom; the row is named at each line. Pure and total.
 * A paused cell comes before the table. Every write of the engine follows from a decision to copy or to withdraw (`publish.ts`,
 * `delete-copy.ts`, `retire-strays.ts`), so that nothing is written for it whatever led here: event, list, sweep or start.
 */
export function decideSlice(slice: Observation<EndpointSlice>, around: SliceSurroundings): Decision<KubeObject> {
  const { location, identity } = around;
  if (around.paused) return keep('Paused');
  if (location.kind === 'unresolved') return keep(location.reason); // 1
  if (identity.kind === 'unbound') return keep(identity.reason); // 1
  if (slice.kind === 'unknown') return keep(slice.why); // 2
  const returned = slice.kind === 'present' ? returnedBy(slice.object) : undefined;
  if (returned) return keep(returned); // 3
  const routing = resolveRouting(around.cellNamespace, around.hubNamespace);
  const withdrawal = withdrawalOf(slice);
  // A held namespace is held for withdrawals too: "nothing is published or withdrawn there" (docs/decisions/0001).
  if (withdrawal) return routing.kind === 'held' ? keepHeld(routing.reason) : withdrawal; // 4, 5
  if (slice.kind === 'absent' || !slice.object.endpoints?.length) return keep('EmptySource'); // 6
  if (routing.kind !== 'routed') return keepHeld(routing.kind === 'gone' ? 'RoutingUnresolved' : routing.reason); // 7
  const obstacle = obstacleOnHub(around);
  return obstacle ?? { kind: 'copy', copy: desiredSlice(slice.object, { ...routing, location: location.name, clusterUid: identity.uid }) }; // 10
}

/** Row 3: a copy that Karmada delivered back. Our own label first: a delivered copy may have lost Karmada's marks. */
function returnedBy({ metadata }: EndpointSlice): 'ReturnedCopy' | 'KarmadaManaged' | undefined {
  if (metadata.labels && SLICE_PROJECTION in metadata.labels) return 'ReturnedCopy';
  return metadata.labels?.[KARMADA_MANAGED] === 'true' ? 'KarmadaManaged' : undefined;
}

/** Rows 4 and 5: what takes a copy away. Seen on the object itself, it is as strong as a deletion that was seen. */
function withdrawalOf(slice: Exclude<Observation<EndpointSlice>, { kind: 'unknown' }>): Decision<never> | undefined {
  if (slice.kind === 'absent') return { kind: 'withdraw', reason: 'SourceAbsent', evidence: slice.evidence };
  const { deletionTimestamp, labels } = slice.object.metadata;
  if (deletionTimestamp !== undefined) return { kind: 'withdraw', reason: 'SourceDeleting', evidence: 'strong' };
  if (labels?.[TENANT_ID] === undefined) return { kind: 'withdraw', reason: 'TenantLabelGone', evidence: 'strong' };
  return undefined;
}

/** Rows 8 and 9: what stands in the copy's way on the hub. */
function obstacleOnHub({ occupant, hubNamespace }: SliceSurroundings): Decision<never> | undefined {
  if (occupant === 'foreign') return { kind: 'refuse', reason: 'NameTaken' }; // 8
  if (occupant === 'unknown') return keep('HubUnread'); // 8, cannot be told yet
  if (hubNamespace.kind !== 'present') return { kind: 'wait', reason: 'HubNamespaceMissing' }; // 9
  if (hubNamespace.object.terminating) return { kind: 'wait', reason: 'HubNamespaceTerminating' }; // 9
  return undefined;
}

function keep(reason: string): Decision<never> {
  return { kind: 'keep', reason };
}

function keepHeld(reason: string): Decision<never> {
  return { kind: 'keep', reason, ...(reason !== 'NamespaceUnread' && { report: true as const }) };
}
