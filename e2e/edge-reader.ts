import { isIPv6 } from 'node:net';
import { SRV6_SID, TENANT_ID } from '#api/keys.ts';
import type { EndpointSlice } from '#api/objects.ts';

/** What the edge makes of one slice. */
export type EdgeReading =
  | { kind: 'ignored' }
  | { kind: 'rejected'; reason: 'no tenant annotation' | 'no attachment' | 'no SID' | 'SID is not IPv6' | 'no address' }
  | { kind: 'route'; vpc: string; attachment: string; sid: string; prefix: string };

/**
 * Reads a delivered slice by the rule of the edge proxy (contract section 2), and is the checker of every delivery test.
 *
 * It selects by presence of the tenant label, splits the tenant *annotation* at its first `-`, takes the SID annotation as an
 * IPv6 address, and installs the first address as a `/128`. It is deliberately as strict as that and no more: nothing is
 * trimmed, lower-cased or repaired, so a copier that normalises anything is found out here.
 */
export function readAtEdge({ metadata, endpoints }: EndpointSlice): EdgeReading {
  if (metadata.labels?.[TENANT_ID] === undefined) return { kind: 'ignored' };
  const tenant = metadata.annotations?.[TENANT_ID];
  if (tenant === undefined) return { kind: 'rejected', reason: 'no tenant annotation' };
  const dash = tenant.indexOf('-');
  if (dash < 0) return { kind: 'rejected', reason: 'no attachment' };
  const sid = metadata.annotations?.[SRV6_SID];
  if (sid === undefined) return { kind: 'rejected', reason: 'no SID' };
  if (!isIPv6(sid)) return { kind: 'rejected', reason: 'SID is not IPv6' };
  const address = firstAddress(endpoints);
  if (address === undefined) return { kind: 'rejected', reason: 'no address' };
  return { kind: 'route', vpc: tenant.slice(0, dash), attachment: tenant.slice(dash + 1), sid, prefix: `${address}/128` };
}

function firstAddress(endpoints: EndpointSlice['endpoints']): string | undefined {
  const endpoint = endpoints?.[0];
  if (typeof endpoint !== 'object' || endpoint === null || !('addresses' in endpoint)) return undefined;
  const address: unknown = Array.isArray(endpoint.addresses) ? endpoint.addresses[0] : undefined;
  return typeof address === 'string' ? address : undefined;
}
