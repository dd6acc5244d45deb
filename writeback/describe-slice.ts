import { LOCATION, SLICE_PROJECTION, SLICE_SOURCE_NAME, SOURCE_CLUSTER_UID } from '#api/keys.ts';
import type { KubeObject } from '#api/objects.ts';
import { joinKey } from '#mirror/object-key.ts';
import type { CopyDescription } from '#mirror/published-index.ts';

/**
 * Whose copy a hub slice is, by its own marks; undefined for what does not carry the projection label and a location.
 * A source name that was edited away is guessed from the copy's name, so that the copy can be put right.
 */
export function describeSlice({ metadata, ...slice }: KubeObject): CopyDescription | undefined {
  const location = metadata.labels?.[LOCATION];
  if (metadata.labels?.[SLICE_PROJECTION] !== 'true' || !location) return undefined;
  const recorded = metadata.annotations?.[SLICE_SOURCE_NAME];
  const name = recorded ?? nameBehind(metadata.name, location);
  if (name === undefined) return undefined;
  return {
    origin: location,
    source: joinKey(metadata.namespace, name),
    sourceRecorded: recorded !== undefined,
    sourceCluster: metadata.annotations?.[SOURCE_CLUSTER_UID],
    fixed: String(slice['addressType']),
  };
}

function nameBehind(copyName: string, location: string): string | undefined {
  const prefix = `vpc-${location}.`;
  return copyName.startsWith(prefix) ? copyName.slice(prefix.length) : undefined;
}
