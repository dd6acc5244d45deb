import assert from 'node:assert/strict';
import { KARMADA_MANAGED, SLICE_PROJECTION, TENANT_ID } from '#api/keys.ts';
import { json } from '#kube/testing/scripted-transport.ts';
import { scriptedClient } from '#kube/testing/scripted-client.ts';
import { ClusterIdentity } from '#mirror/cluster-identity.ts';
import { keyOf } from '#mirror/object-key.ts';
import { reduceNamespace } from '#mirror/namespace-routing.ts';
import { absent, present } from '#mirror/observation.ts';
import { ReducedStore } from '#mirror/reduced-store.ts';
import type { Location } from '#writeback/location.ts';
import { sliceRules } from '#writeback/slice-rules.ts';
import { namespaceWith, ROUTING_LABELS, sourceSlice } from '#writeback/testing/slices.ts';

const signal = new AbortController().signal;
const AT: Location = { kind: 'resolved', name: 'ams-1', from: 'delivered' };

/** The rules of a cell at `ams-1` whose namespace `ns-1` is routed, while its location is `location`, and `live` is what the cell answers. */
async function rulesWhile(location: Location, { paused = false, live = location }: { paused?: boolean; live?: Location } = {}) {
  const identity = new ClusterIdentity(scriptedClient(json({ kind: 'Namespace', metadata: { name: 'kube-system', uid: 'cell-uid' } })));
  const clusterUid = await identity.bind(signal);
  const namespaces = new ReducedStore({ reduce: reduceNamespace, changed: () => undefined });
  namespaces.handler.listStarted({ epoch: 1, wentBack: false });
  namespaces.handler.present(namespaceWith(ROUTING_LABELS));
  namespaces.handler.listCompleted();
  const currentLocation = () => location;
  const stores = { cellNamespaces: namespaces, hubNamespaces: namespaces };
  const readLocation = async () => live;
  return sliceRules({
    location: 'ams-1',
    clusterUid,
    paused,
    formerClusters: new Set(),
    currentLocation,
    readLocation,
    identity,
    ...stores,
  });
}

describe('the rules of slices', () => {
  it('call for the copy under the very name that they give for it', async () => {
    const rules = await rulesWhile(AT);
    const decision = rules.decide('ns-1/pod-a', present(sourceSlice()), 'free');
    assert.equal(decision.kind === 'copy' && keyOf(decision.copy), rules.copyKey('ns-1/pod-a'));
  });

  it('decide nothing while the cell is moving to another location, or has none', async () => {
    for (const location of [
      { ...AT, name: 'fra-1' },
      { kind: 'unresolved', reason: 'NoLocationIdentity' },
    ] as const) {
      const rules = await rulesWhile(location);
      for (const observation of [present(sourceSlice()), absent<never>('strong')]) {
        assert.equal(rules.decide('ns-1/pod-a', observation, 'ours').kind, 'keep');
      }
    }
  });

  it('decide nothing while the cell is paused', async () => {
    const rules = await rulesWhile(AT, { paused: true });
    for (const observation of [present(sourceSlice()), absent<never>('strong')]) {
      assert.deepEqual(rules.decide('ns-1/pod-a', observation, 'ours'), { kind: 'keep', reason: 'Paused' });
    }
  });

  it('say that the cell has moved where a live read finds another location or none, whatever was known before', async () => {
    for (const live of [
      { ...AT, name: 'fra-1' },
      { kind: 'unresolved', reason: 'LocationUnread' },
      { kind: 'unresolved', reason: 'NoLocationIdentity' },
    ] as const) {
      const { verifyPlace } = await rulesWhile(AT, { live });
      await assert.rejects(async () => verifyPlace?.(signal), { name: 'WaitingError', code: 'LocationUnread', retryAfterMs: 30_000 });
    }
  });

  it('say that the cell is where it was where a live read finds the same location, delivered or configured', async () => {
    for (const from of ['delivered', 'configured'] as const) {
      const { verifyPlace } = await rulesWhile({ ...AT, name: 'fra-1' }, { live: { ...AT, from } });
      assert.ok(verifyPlace);
      await verifyPlace(signal);
    }
  });

  it('decide by the namespace that the slice is in', async () => {
    const rules = await rulesWhile(AT);
    const elsewhere = present(sourceSlice({ namespace: 'ns-2' }));
    assert.deepEqual(rules.decide('ns-2/pod-a', elsewhere, 'free'), { kind: 'keep', reason: 'RoutingUnresolved', report: true });
  });

  it('select what their selector selects: slices with a tenant that are no copies', async () => {
    const { selector, selects } = await rulesWhile(AT);
    assert.equal(selector, 'galactic.datum.net/tenant-id,networking.datumapis.com/vpc-endpointslice-projection!=true');
    assert.equal(selects(sourceSlice()), true);
    assert.equal(selects(sourceSlice({ labels: { [TENANT_ID]: 'x', [SLICE_PROJECTION]: 'true' } })), false);
    assert.equal(selects(sourceSlice({ labels: { [SLICE_PROJECTION]: 'false' } })), false);
    assert.equal(selects(sourceSlice({ labels: { [TENANT_ID]: 'x', [KARMADA_MANAGED]: 'true' } })), true);
  });
});
