import {
  INTERFACE_HELD_BY,
  INTERFACE_PROJECTION,
  INTERFACE_SOURCE_NAMESPACE,
  LOCATION,
  SLICE_PROJECTION,
  SLICE_SOURCE_NAME,
  SOURCE_CLUSTER_UID,
  SOURCE_UID,
  UPSTREAM_CLUSTER_NAME,
  UPSTREAM_GROUP,
  UPSTREAM_KIND,
  UPSTREAM_NAME,
  UPSTREAM_NAMESPACE,
} from '#api/keys.ts';

/** Keys that we compute for every copy, and others' bookkeeping. A source that sets one of them is not believed. */
const NEVER = new Set<string>([
  UPSTREAM_CLUSTER_NAME,
  UPSTREAM_NAMESPACE,
  UPSTREAM_GROUP,
  UPSTREAM_KIND,
  UPSTREAM_NAME,
  LOCATION,
  SLICE_PROJECTION,
  SLICE_SOURCE_NAME,
  INTERFACE_PROJECTION,
  INTERFACE_SOURCE_NAMESPACE,
  INTERFACE_HELD_BY,
  SOURCE_UID,
  SOURCE_CLUSTER_UID,
  'kubernetes.io/service-name',
  'kubectl.kubernetes.io/last-applied-configuration',
]);

/** The labels or annotations of a source that its copy carries (contract section 1, "Keys that never cross"). A new object. */
export function crossing(keys: Record<string, string> | undefined): Record<string, string> {
  return Object.fromEntries(Object.entries(keys ?? {}).filter(([key]) => crosses(key)));
}

/** True when a label or annotation of this key is carried from a source to its copy. */
export function crosses(key: string): boolean {
  const prefix = key.slice(0, Math.max(0, key.indexOf('/')));
  if (prefix === 'karmada.io' || prefix.endsWith('.karmada.io')) return false;
  // The slice controllers' own marks: carried, they would make a cluster's mirror controller claim or delete the copy.
  if (prefix === 'endpointslice.kubernetes.io') return false;
  return !NEVER.has(key);
}
