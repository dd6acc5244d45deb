import type { KubeObject } from '#api/objects.ts';
import { ENDPOINT_SLICES, type Resource } from '#api/resources.ts';

/** Longest value of a label. */
const LABEL_VALUE_MAX = 63;

/** The object with what the server adds to its kind. */
export function withDefaults(resource: Resource, object: KubeObject): KubeObject {
  if (resource.plural !== ENDPOINT_SLICES.plural || resource.group !== ENDPOINT_SLICES.group) return object;
  return { ...object, endpoints: object['endpoints'] ?? null, ports: object['ports'] ?? null };
}

/** The fields for which a server rejects a write: labels that are too long, and what is immutable. */
export function invalidFields(resource: Resource, { before, after }: { before: KubeObject | undefined; after: KubeObject }): string[] {
  const labels = Object.values(after.metadata.labels ?? {});
  const long = labels.some((value) => value.length > LABEL_VALUE_MAX) ? ['metadata.labels'] : [];
  const isSlice = resource.plural === ENDPOINT_SLICES.plural && resource.group === ENDPOINT_SLICES.group;
  return isSlice && before && before['addressType'] !== after['addressType'] ? [...long, 'addressType'] : long;
}
