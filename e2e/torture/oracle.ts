import { isDeepStrictEqual } from 'node:util';
import { KARMADA_MANAGED, SLICE_PROJECTION, TENANT_ID } from '#api/keys.ts';
import type { EndpointSlice, Namespace } from '#api/objects.ts';
import { contentOf, copyName, expectedContent } from '#e2e/scenario/expected-copy.ts';
import type { CopyContent } from '#e2e/scenario/expected-copy.ts';

/** One namespace as it is: on the hub, and in every cell. */
export type Sight = {
  hubNamespace: Namespace;
  /** Every slice that lies there on the hub. */
  copies: readonly EndpointSlice[];
  cells: readonly { location: string; clusterUid: string; sources: readonly EndpointSlice[] }[];
  /** Slices on the hub that are somebody else's, by name: what they must still be. */
  foreign: ReadonlyMap<string, Version>;
};

/** The very state of one object. */
export type Version = { uid: string; resourceVersion: string };

/** What may lie under a name: this copy, this foreign object, or nothing or any copy while its source is empty. */
type Wanted = { kind: 'copy'; content: CopyContent } | { kind: 'foreign'; version: Version } | { kind: 'any' };

/** Every way in which the hub is not what the sources in this namespace call for; none when all is well. */
export function findDifferences(sight: Sight): string[] {
  const wanted = wantedNames(sight);
  const copies = new Map(sight.copies.map((copy) => [copy.metadata.name, copy]));
  const missing = [...wanted].flatMap(([name, { kind }]) => (kind === 'any' || copies.has(name) ? [] : [`${short(name)} is missing`]));
  const different = [...copies].flatMap(([name, copy]) => differenceOf(copy, wanted.get(name)) ?? []);
  return [...missing, ...different];
}

function wantedNames({ cells, foreign, hubNamespace }: Sight): Map<string, Wanted> {
  const wanted = new Map<string, Wanted>();
  for (const { location, clusterUid, sources } of cells) {
    for (const source of sources.filter(callsForCopy)) {
      const content = expectedContent(source, { location, clusterUid, hubNamespace });
      wanted.set(copyName(location, source.metadata.name), source.endpoints?.length ? { kind: 'copy', content } : { kind: 'any' });
    }
  }
  for (const [name, version] of foreign) wanted.set(name, { kind: 'foreign', version });
  return wanted;
}

/** Rows 3 to 5 of the decision table, read off the source alone. */
function callsForCopy({ metadata: { labels = {}, deletionTimestamp } }: EndpointSlice): boolean {
  const returned = SLICE_PROJECTION in labels || labels[KARMADA_MANAGED] === 'true';
  return !returned && TENANT_ID in labels && deletionTimestamp === undefined;
}

function differenceOf(copy: EndpointSlice, wanted: Wanted | undefined): string | undefined {
  const name = short(copy.metadata.name);
  if (!wanted) return `${name} has no source`;
  if (wanted.kind === 'any') return undefined;
  if (wanted.kind === 'foreign') return isVersion(copy, wanted.version) ? undefined : `${name} is somebody else's and was touched`;
  const found = withoutKarmadas(contentOf(copy));
  return isDeepStrictEqual(found, wanted.content)
    ? undefined
    : `${name} is ${JSON.stringify(found)} instead of ${JSON.stringify(wanted.content)}`;
}

function isVersion({ metadata }: EndpointSlice, { uid, resourceVersion }: Version): boolean {
  return metadata.uid === uid && metadata.resourceVersion === resourceVersion;
}

/** Karmada claims copies by keys of its own, which are not the service's to write or to take away. */
function withoutKarmadas(content: CopyContent): CopyContent {
  const strip = (keys: Record<string, string>) =>
    Object.fromEntries(Object.entries(keys).filter(([key]) => !/(^|\.)karmada\.io\//.test(key)));
  return { ...content, labels: strip(content.labels), annotations: strip(content.annotations) };
}

function short(name: string): string {
  return name.length > 50 ? `${name.slice(0, 50)}…` : name;
}
