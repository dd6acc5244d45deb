import { createHash } from 'node:crypto';
import * as keys from '#api/keys.ts';
import type { EndpointSlice, Namespace } from '#api/objects.ts';
import type { SliceKey } from '#e2e/scenario/source-object.ts';

/** What a copy says, as far as it is ours to say. */
export type CopyContent = {
  addressType: string;
  endpoints: unknown;
  ports: unknown;
  labels: Record<string, string>;
  annotations: Record<string, string>;
  ownerReferences: unknown;
  finalizers: unknown;
};

/** Longest name of a copy: Karmada appends the kind to it (contract section 2). */
const MAX_NAME = 238;

/**
 * The copy's name, written down from contract section 2 and not taken from the service: an error there must show here.
 */
export function copyName(location: string, source: string): string {
  const whole = `vpc-${location}.${source}`;
  if (whole.length <= MAX_NAME) return whole;
  const digest = createHash('sha256').update(`${location}/${source}`).digest('hex').slice(0, 16);
  return `${whole.slice(0, MAX_NAME - digest.length - 1)}-${digest}`;
}

/** What surrounds a source: where it comes from and whose namespace it lies in. */
export type Surroundings = { location: string; clusterUid: string; hubNamespace: Namespace };

/** What the copy of a source must say, to the last key, where neither Karmada nor anybody else adds to it. */
export function expectedContent(source: EndpointSlice, { location, clusterUid, hubNamespace }: Surroundings): CopyContent {
  const routing = Object.entries(hubNamespace.metadata.labels ?? {}).filter(([key]) => key.startsWith('meta.datumapis.com/upstream-'));
  return {
    addressType: source.addressType,
    endpoints: source.endpoints,
    ports: source.ports,
    labels: {
      ...crossing(source.metadata.labels),
      ...Object.fromEntries(routing),
      [keys.SLICE_PROJECTION]: 'true',
      [keys.LOCATION]: location,
    },
    annotations: {
      ...crossing(source.metadata.annotations),
      [keys.SLICE_SOURCE_NAME]: source.metadata.name,
      [keys.SOURCE_UID]: source.metadata.uid ?? '',
      [keys.SOURCE_CLUSTER_UID]: clusterUid,
    },
    ownerReferences: undefined,
    finalizers: undefined,
  };
}

/** The same of a copy that is there. */
export function contentOf({ addressType, endpoints, ports, metadata }: EndpointSlice): CopyContent {
  const { labels = {}, annotations = {}, ownerReferences, finalizers } = metadata;
  return { addressType, endpoints, ports, labels, annotations, ownerReferences, finalizers };
}

/** Where the copy of a source lies on the hub. */
export function copyKey(location: string, { namespace, name }: SliceKey): SliceKey {
  return { namespace, name: copyName(location, name) };
}

/** Keys that never cross (contract section 1), by prefix or whole. */
const NEVER =
  /^([^/]*\.)?karmada\.io\/|^endpointslice\.kubernetes\.io\/|^kubernetes\.io\/service-name$|^kubectl\.kubernetes\.io\/last-applied-configuration$/;

function crossing(values: Record<string, string> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(values).filter(([key]) => !NEVER.test(key)));
}
