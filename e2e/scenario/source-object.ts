import { randomUUID } from 'node:crypto';
import { SRV6_SID, TENANT_ID } from '#api/keys.ts';
import type { EndpointSlice } from '#api/objects.ts';

/** Where a slice lies. */
export type SliceKey = { namespace: string; name: string };

/** What a test may want otherwise. `null` leaves the label or the annotation out. */
export type SourceOptions = {
  tenant?: string | null;
  sid?: string | null;
  address?: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  /** Fields that replace whole fields of the slice: `{ endpoints: [], addressType: 'IPv4' }`. */
  fields?: Partial<EndpointSlice>;
};

/** A slice as the pod producer in a cell writes it (contract section 2): under the pod's name, owned by the pod, ports unset. */
export function sourceObject({ namespace, name }: SliceKey, options: SourceOptions = {}): EndpointSlice {
  const { tenant = '0aB3xY-Zq9', sid = '2001:db8:f00d:1::', address = 'fd20::7', labels, annotations, fields } = options;
  const tenantKey = tenant === null ? {} : { [TENANT_ID]: tenant };
  const podUid = randomUUID();
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      namespace,
      name,
      labels: { ...tenantKey, ...labels },
      annotations: { ...tenantKey, ...(sid === null ? {} : { [SRV6_SID]: sid }), ...annotations },
      ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name, uid: podUid, controller: true, blockOwnerDeletion: true }],
    },
    addressType: 'IPv6',
    endpoints: [{ addresses: [address], conditions: { ready: true }, targetRef: { kind: 'Pod', namespace, name, uid: podUid } }],
    ...fields,
  };
}

/** A slice that somebody else has put on the hub. Nothing owns it: its pod is not there, and garbage collection would take it. */
export function foreignObject(key: SliceKey, options: SourceOptions = {}): EndpointSlice {
  const { metadata, ...body } = sourceObject(key, options);
  const { ownerReferences: _owners, ...unowned } = metadata;
  return { ...body, metadata: unowned };
}
