import { SLICE_PROJECTION, TENANT_ID } from '#api/keys.ts';
import { WRITEBACK_FIELD_MANAGER } from '#api/field-managers.ts';
import type { EndpointSlice } from '#api/objects.ts';
import { ENDPOINT_SLICES } from '#api/resources.ts';
import { WaitingError } from '#kube/errors.ts';
import { joinKey, splitKey } from '#mirror/object-key.ts';
import type { ReducedStore } from '#mirror/reduced-store.ts';
import type { MirrorRules } from '#mirror/rules.ts';
import type { ClusterIdentity } from '#mirror/cluster-identity.ts';
import { decideSlice } from '#writeback/decide-slice.ts';
import type { Location } from '#writeback/location.ts';
import type { NamespaceRouting } from '#mirror/namespace-routing.ts';
import { sliceCopyName } from '#writeback/slice-name.ts';

/** By then the watch has told of another location, and the mirror of this one has ended. */
const MOVED_RETRY_MS = 30_000;

/** What the rules read when they decide. */
export type SliceRulesOptions = {
  location: string;
  clusterUid: string;
  /** An operator has paused the cell: nothing is published or withdrawn. */
  paused: boolean;
  /** Clusters that the cell's name stood for before. */
  formerClusters: ReadonlySet<string>;
  /** The cell's location as it is known at this moment. */
  currentLocation(): Location;
  /** The same, read live. @throws {ApiError} */
  readLocation(signal: AbortSignal): Promise<Location>;
  identity: ClusterIdentity;
  cellNamespaces: ReducedStore<NamespaceRouting>;
  hubNamespaces: ReducedStore<NamespaceRouting>;
};

/** The EndpointSlice write-back of one cell at one location, as the engine runs it. */
export function sliceRules({ location, clusterUid, paused, formerClusters, ...options }: SliceRulesOptions): MirrorRules<EndpointSlice> {
  return {
    controller: 'writeback.endpointslice',
    fieldManager: WRITEBACK_FIELD_MANAGER,
    source: ENDPOINT_SLICES,
    selector: `${TENANT_ID},${SLICE_PROJECTION}!=true`,
    selects: ({ metadata }) => metadata.labels?.[TENANT_ID] !== undefined && metadata.labels[SLICE_PROJECTION] !== 'true',
    copy: ENDPOINT_SLICES,
    origin: location,
    sourceCluster: clusterUid,
    formerClusters,
    copyKey: (source) => {
      const { namespace, name } = splitKey(source);
      return joinKey(namespace, sliceCopyName(location, name));
    },
    decide: (source, observation, occupant) => {
      const { namespace = '' } = splitKey(source);
      return decideSlice(observation, {
        paused,
        location: settledAt(location, options.currentLocation()),
        identity: options.identity.state,
        cellNamespace: options.cellNamespaces.get(namespace),
        hubNamespace: options.hubNamespaces.get(namespace),
        occupant,
      });
    },
    askSource: (signal) => options.identity.ask(signal),
    verifySource: (how) => options.identity.verify(how),
    verifyPlace: async (signal) => {
      const now = await options.readLocation(signal);
      if (now.kind !== 'resolved' || now.name !== location)
        throw new WaitingError('LocationUnread', `The location is not "${location}" any more`, MOVED_RETRY_MS);
    },
  };
}

/** A mirror works for one location only; while the cell is moving to another, nothing is decided under the old name. */
function settledAt(location: string, current: Location): Location {
  if (current.kind === 'resolved' && current.name !== location) return { kind: 'unresolved', reason: 'LocationUnread' };
  return current;
}
