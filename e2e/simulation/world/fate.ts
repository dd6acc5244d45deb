import { createHash } from 'node:crypto';
import type { KubeObject } from '#api/objects.ts';
import { ENDPOINT_SLICES, NAMESPACES, SERVING_LOCATIONS } from '#api/resources.ts';
import type { Cluster, SimulatedCell, World } from '#e2e/simulation/world/world.ts';
import { bodyOf } from '#e2e/simulation/world/world.ts';

/*
 * What contract section 2 calls for, written from its text alone: nothing here may be taken from writeback/, or both would be
 * wrong together.
 */

/** What is to become of a source's copy: it must be exactly so, it must not be there, or whatever is there stands. */
export type Fate = { kind: 'copy'; copy: ExpectedCopy } | { kind: 'gone' } | { kind: 'stands' };

/** A copy as it must be on the hub. */
export type ExpectedCopy = { labels: Record<string, string>; annotations: Record<string, string>; body: string };

const CLUSTER_NAME = 'meta.datumapis.com/upstream-cluster-name';
const NAMESPACE = 'meta.datumapis.com/upstream-namespace';
const PROJECTION = 'networking.datumapis.com/vpc-endpointslice-projection';
const LOCATION = 'networking.datumapis.com/location';
const SOURCE_NAME = 'networking.datumapis.com/vpc-endpointslice-source-name';
const SOURCE_UID = 'federation.datumapis.com/source-uid';
const CLUSTER_UID = 'federation.datumapis.com/source-cluster-uid';
const TENANT = 'galactic.datum.net/tenant-id';

/** The location that a cell serves: exactly one delivered wins, else the configured one; undefined while there is none. */
export function locationOf(cell: SimulatedCell, { server }: Cluster): string | undefined {
  const delivered = server.list(SERVING_LOCATIONS);
  return delivered.length === 1 ? delivered[0]?.metadata.name : cell.location;
}

/** The name of a source's copy at a location. */
export function copyName(location: string, source: string): string {
  const name = `vpc-${location}.${source}`;
  if (name.length <= 238) return name;
  return `${name.slice(0, 221)}-${createHash('sha256').update(`${location}/${source}`).digest('hex').slice(0, 16)}`;
}

/** The fate of the source of that name, whether it is there or not. */
export function fateOf(world: World, cluster: Cluster, source: { namespace: string; name: string; location: string }): Fate {
  const slice = cluster.server.at({ resource: ENDPOINT_SLICES, namespace: source.namespace, name: source.name });
  if (slice && isReturned(slice)) return { kind: 'stands' };
  const [inCell, onHub] = [cluster.server, world.hub].map((server) => server.at({ resource: NAMESPACES, name: source.namespace }));
  const isHeld = inCell !== undefined && (!routes(inCell) || (onHub !== undefined && !routeAlike(inCell, onHub)));
  if (isHeld) return { kind: 'stands' };
  if (!slice || isLeaving(slice)) return { kind: 'gone' };
  const endpoints = slice['endpoints'];
  if (!Array.isArray(endpoints) || endpoints.length === 0 || !inCell) return { kind: 'stands' };
  if (!onHub || onHub.metadata.deletionTimestamp !== undefined) return { kind: 'stands' };
  return { kind: 'copy', copy: expectedCopy(slice, { namespace: inCell, clusterUid: cluster.uid, location: source.location }) };
}

/** Rows 4 and 5: what a live look must have shown before a copy goes. */
export function isLeaving({ metadata }: KubeObject): boolean {
  return metadata.deletionTimestamp !== undefined || metadata.labels?.[TENANT] === undefined;
}

/** Row 3: a copy that was delivered back, by either mark. */
export function isReturned({ metadata: { labels = {} } }: KubeObject): boolean {
  return PROJECTION in labels || labels['karmada.io/managed'] === 'true';
}

/** What a hub slice says of itself; undefined unless it has every mark of a copy. */
export function marksOf({ metadata }: KubeObject): { location: string; source: string; clusterUid: string } | undefined {
  const { labels = {}, annotations = {} } = metadata;
  const [location, source, clusterUid] = [labels[LOCATION], annotations[SOURCE_NAME], annotations[CLUSTER_UID]];
  if (labels[PROJECTION] !== 'true' || !location || source === undefined || clusterUid === undefined) return undefined;
  return { location, source, clusterUid };
}

/** Row 8: an object under the copy's name that is not ours. A mark that is missing is forgiven, the label never. */
export function isForeign({ metadata: { labels = {}, annotations = {} } }: KubeObject, copy: ExpectedCopy): boolean {
  const differs = (key: string) => annotations[key] !== undefined && annotations[key] !== copy.annotations[key];
  return labels[PROJECTION] !== 'true' || labels[LOCATION] !== copy.labels[LOCATION] || differs(SOURCE_NAME) || differs(CLUSTER_UID);
}

function expectedCopy(
  { metadata, ...slice }: KubeObject,
  { namespace, clusterUid, location }: { namespace: KubeObject; clusterUid: string; location: string },
): ExpectedCopy {
  const { [CLUSTER_NAME]: project = '', [NAMESPACE]: upstream = '' } = namespace.metadata.labels ?? {};
  const routing = { [CLUSTER_NAME]: project, [NAMESPACE]: upstream };
  return {
    labels: { ...crossing(metadata.labels), ...routing, [PROJECTION]: 'true', [LOCATION]: location },
    annotations: {
      ...crossing(metadata.annotations),
      [SOURCE_NAME]: metadata.name,
      [SOURCE_UID]: metadata.uid ?? '',
      [CLUSTER_UID]: clusterUid,
    },
    body: bodyOf({ metadata, ...slice }),
  };
}

const COMPUTED = new Set([CLUSTER_NAME, NAMESPACE, PROJECTION, LOCATION, SOURCE_NAME, SOURCE_UID, CLUSTER_UID]);

function crossing(keys: Record<string, string> = {}): Record<string, string> {
  return Object.fromEntries(
    Object.entries(keys).filter(
      ([key]) => !COMPUTED.has(key) && !/^([^/]*\.)?karmada\.io\//.test(key) && !key.startsWith('endpointslice.kubernetes.io/'),
    ),
  );
}

function routes({ metadata: { labels = {} } }: KubeObject): boolean {
  return Boolean(labels[CLUSTER_NAME]?.replace(/^cluster-_?/, '') && labels[NAMESPACE]);
}

function routeAlike({ metadata: one }: KubeObject, { metadata: other }: KubeObject): boolean {
  return one.labels?.[CLUSTER_NAME] === other.labels?.[CLUSTER_NAME] && one.labels?.[NAMESPACE] === other.labels?.[NAMESPACE];
}
