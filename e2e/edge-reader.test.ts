import assert from 'node:assert/strict';
import { SRV6_SID, TENANT_ID } from '#api/keys.ts';
import type { EndpointSlice } from '#api/objects.ts';
import { readAtEdge } from '#e2e/edge-reader.ts';

describe('the reader at the edge', () => {
  it('installs a host route to the first address by way of the SID', () => {
    assert.deepEqual(readAtEdge(slice({ tenant: '0aB-Zz9', sid: '2001:db8:f:1::', addresses: ['fd00::1', 'fd00::2'] })), {
      kind: 'route',
      vpc: '0aB',
      attachment: 'Zz9',
      sid: '2001:db8:f:1::',
      prefix: 'fd00::1/128',
    });
  });

  it('splits the tenant at its first dash only', () => {
    const reading = readAtEdge(slice({ tenant: 'a-b-c' }));
    assert.ok(reading.kind === 'route');
    assert.deepEqual([reading.vpc, reading.attachment], ['a', 'b-c']);
  });

  it('keeps the case of the tenant and the spelling of the SID', () => {
    const reading = readAtEdge(slice({ tenant: 'QWE-RTY', sid: '2001:DB8:0::1' }));
    assert.ok(reading.kind === 'route');
    assert.deepEqual([reading.vpc, reading.sid], ['QWE', '2001:DB8:0::1']);
  });

  it('ignores a slice without the tenant label, whatever its annotation says', () => {
    const unlabelled = slice({});
    assert.deepEqual(readAtEdge({ ...unlabelled, metadata: { ...unlabelled.metadata, labels: {} } }), { kind: 'ignored' });
  });

  const rejected: [string, Parameters<typeof slice>[0], string][] = [
    ['a missing tenant annotation', { tenant: undefined }, 'no tenant annotation'],
    ['a tenant without a dash', { tenant: 'abc' }, 'no attachment'],
    ['a missing SID', { sid: undefined }, 'no SID'],
    ['a SID with a blank', { sid: ' 2001:db8::1' }, 'SID is not IPv6'],
    ['a slice without endpoints', { addresses: undefined }, 'no address'],
    ['an endpoint without addresses', { addresses: [] }, 'no address'],
  ];
  for (const [what, options, reason] of rejected) {
    it(`rejects ${what}`, () => assert.deepEqual(readAtEdge(slice(options)), { kind: 'rejected', reason }));
  }
});

type Options = { tenant?: string | undefined; sid?: string | undefined; addresses?: string[] | undefined };

function slice(options: Options): EndpointSlice {
  const { tenant, sid, addresses } = { tenant: 'a-b', sid: '2001:db8::1', addresses: ['fd00::1'], ...options };
  return {
    metadata: {
      name: 's',
      labels: { [TENANT_ID]: 'label-value' },
      annotations: { ...(tenant !== undefined && { [TENANT_ID]: tenant }), ...(sid !== undefined && { [SRV6_SID]: sid }) },
    },
    addressType: 'IPv6',
    endpoints: addresses === undefined ? null : [{ addresses }],
  };
}
