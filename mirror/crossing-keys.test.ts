import assert from 'node:assert/strict';
import * as keys from '#api/keys.ts';
import { crosses, crossing } from '#mirror/crossing-keys.ts';

describe('keys that cross from a source to its copy', () => {
  it('are the tenant, the SID, the network, and whatever else people write', () => {
    const carried = [
      keys.TENANT_ID,
      keys.SRV6_SID,
      keys.NETWORK,
      'app',
      'app.kubernetes.io/name',
      'compute.datumapis.com/instance',
      'kubernetes.io/service-name-2',
    ];
    for (const key of carried) assert.equal(crosses(key), true, key);
  });

  it("are none of Karmada's, under whatever of its prefixes", () => {
    const marks = ['karmada.io/managed', 'work.karmada.io/name', 'a.b.karmada.io/x', 'clusterpropagationpolicy.karmada.io/permanent-id'];
    for (const key of marks) assert.equal(crosses(key), false, key);
  });

  it("are those that only look like Karmada's", () => {
    for (const key of ['notkarmada.io/x', 'karmada.io.example/x', 'karmada.io', 'example.com/karmada.io']) {
      assert.equal(crosses(key), true, key);
    }
  });

  it('are none by which the slice controllers and kubectl keep their books', () => {
    const marks = [
      'endpointslice.kubernetes.io/managed-by',
      'kubernetes.io/service-name',
      'kubectl.kubernetes.io/last-applied-configuration',
    ];
    for (const key of marks) assert.equal(crosses(key), false, key);
  });

  it('are none of those that are computed for every copy', () => {
    const computed = [
      keys.UPSTREAM_CLUSTER_NAME,
      keys.UPSTREAM_NAMESPACE,
      keys.UPSTREAM_GROUP,
      keys.UPSTREAM_KIND,
      keys.UPSTREAM_NAME,
      keys.LOCATION,
      keys.SLICE_PROJECTION,
      keys.SLICE_SOURCE_NAME,
      keys.INTERFACE_PROJECTION,
      keys.INTERFACE_SOURCE_NAMESPACE,
      keys.INTERFACE_HELD_BY,
      keys.SOURCE_UID,
      keys.SOURCE_CLUSTER_UID,
    ];
    for (const key of computed) assert.equal(crosses(key), false, key);
  });

  it('are picked out into a new object', () => {
    const labels = { app: 'x', 'karmada.io/managed': 'true' };
    assert.deepEqual(crossing(labels), { app: 'x' });
    assert.deepEqual(labels, { app: 'x', 'karmada.io/managed': 'true' });
    assert.deepEqual(crossing(undefined), {});
  });
});
