import { isDeepStrictEqual } from 'node:util';
import { LOCATION_PUBLISHER, PUBLISHED_BY, REMOVAL_BLOCKED } from '#api/keys.ts';
import type { ServingLocation } from '#api/objects.ts';
import { SERVING_LOCATIONS } from '#api/resources.ts';
import { apiVersionOf, isRecord } from '#kube/objects.ts';
import type { SourceLocation } from '#policies/source-location.ts';

/**
 * The serving location that a Location calls for (contract section 4). `publishedAt` is that of the held spec for as long as
 * the rest of it is the same, else `now` (RFC 3339): Karmada re-delivers every change, so nothing may change by itself.
 */
export function desiredServingLocation(
  name: string,
  { topology, generation }: SourceLocation,
  { heldSpec, now }: { heldSpec: unknown; now: string },
): ServingLocation {
  const content = { topology, source: { generation } };
  const kept = isDeepStrictEqual(contentOf(heldSpec), content) ? publishedAtOf(heldSpec) : undefined;
  return servingLocation(name, { spec: { topology, source: { generation, publishedAt: kept ?? now } } });
}

/** A serving location as it stands on the hub, with the annotation that says why its removal is blocked, or without. */
export function heldServingLocation(name: string, { spec, blocked }: { spec: unknown; blocked: string | undefined }): ServingLocation {
  return servingLocation(name, { spec, annotations: blocked === undefined ? {} : { [REMOVAL_BLOCKED]: blocked } });
}

/** The part of a spec that says something about the location: all but the moment of publication. */
export function contentOf(spec: unknown): unknown {
  if (!isRecord(spec) || !isRecord(spec['source'])) return spec;
  const { publishedAt: _publishedAt, ...source } = spec['source'];
  return { ...spec, source };
}

function publishedAtOf(spec: unknown): string | undefined {
  const publishedAt = isRecord(spec) && isRecord(spec['source']) ? spec['source']['publishedAt'] : undefined;
  return typeof publishedAt === 'string' ? publishedAt : undefined;
}

function servingLocation(
  name: string,
  { spec, annotations = {} }: { spec: unknown; annotations?: Record<string, string> },
): ServingLocation {
  return {
    apiVersion: apiVersionOf(SERVING_LOCATIONS),
    kind: SERVING_LOCATIONS.kind,
    metadata: { name, labels: { [PUBLISHED_BY]: LOCATION_PUBLISHER }, annotations },
    spec,
  };
}
