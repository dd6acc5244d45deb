import assert from 'node:assert/strict';
import type { ApiRequest } from '#kube/transport.ts';
import { status } from '#kube/testing/scripted-transport.ts';
import { whenAsked } from '#mirror/testing/memory-server.ts';
import { copyOf, copyPath, foreignCopy, IDENTITY_PATH, mirrorScene, tenantSlice } from '#mirror/testing/scene.ts';

const applied = (request: ApiRequest | undefined): unknown => JSON.parse(request?.body ?? 'null');
const isApply = ({ method }: ApiRequest) => method === 'PATCH';

describe('changing a copy', () => {
  it('applies with force, and names the uid that was seen', async () => {
    const scene = await mirrorScene();
    await scene.mirrored('a');
    scene.seen('a', tenantSlice('a', {}, { endpoints: [] }));
    assert.deepEqual(await scene.reconcile('a'), { action: 'updated' });
    const [request] = scene.hub.requests.filter(isApply);
    assert.equal(request?.query?.['force'], 'true');
    const uid = scene.hub.at(copyPath('a'))?.metadata.uid;
    assert.ok(uid);
    const wanted = copyOf(tenantSlice('a', {}, { endpoints: [] }));
    assert.deepEqual(applied(request), { ...wanted, metadata: { ...wanted.metadata, uid } });
  });

  it('touches no other object of that name, and makes nothing anew that is gone', async () => {
    const scene = await mirrorScene();
    await scene.mirrored('a');
    scene.hub.remove(copyPath('a'));
    scene.seen('a', tenantSlice('a', {}, { endpoints: [] }));
    await assert.rejects(scene.reconcile('a'), { code: 'Conflict' });
    scene.hub.put(copyPath('a'), tenantSlice('a', { name: 'copy-a', uid: 'foreign' }));
    scene.seen('a', tenantSlice('a', {}, { endpoints: [] }));
    await assert.rejects(scene.reconcile('a'), { code: 'Conflict' });
    assert.deepEqual(scene.hub.at(copyPath('a'))?.metadata.labels, { tenant: 't' });
  });

  it('touches no copy of another source that the hub shows in its stead while the plane is asked who it is', async () => {
    const { hub, source, mirrored, seen, showCopies, reconcile } = await mirrorScene();
    await mirrored('a');
    seen('a', tenantSlice('a', {}, { endpoints: [] }));
    source.fault = (request) => {
      if (request.path !== IDENTITY_PATH) return undefined;
      hub.remove(copyPath('a'));
      hub.put(copyPath('a'), foreignCopy({ annotations: { source: 'ns/b' } }));
      showCopies('a');
      return undefined;
    };
    assert.deepEqual(await reconcile('a'), { action: 'refused', reason: 'NameTaken', report: true });
    assert.deepEqual(hub.writes, []);
  });

  it('is tried once more where another write crossed it, and left to the queue where it crosses again', async () => {
    for (const conflicts of [1, 2]) {
      const scene = await mirrorScene();
      await scene.mirrored('a');
      scene.seen('a', tenantSlice('a', {}, { endpoints: [] }));
      let left = conflicts;
      scene.hub.fault = (request) => {
        left -= isApply(request) ? 1 : 0;
        return isApply(request) && left >= 0 ? status(409, 'Conflict')(request) : undefined;
      };
      if (conflicts === 1) assert.deepEqual(await scene.reconcile('a'), { action: 'updated' });
      else await assert.rejects(scene.reconcile('a'), { code: 'Conflict' });
      assert.equal(scene.hub.requests.filter(isApply).length, 2);
    }
  });

  it('replaces what cannot be changed in place: deleted as the very object that was read, then made anew', async () => {
    const scene = await mirrorScene();
    await scene.mirrored('a');
    const before = scene.hub.at(copyPath('a'))?.metadata;
    scene.seen('a', tenantSlice('a', {}, { addressType: 'IPv4' }));
    assert.deepEqual(await scene.reconcile('a'), { action: 'replaced' });
    const [gone, made] = scene.hub.requests.filter(({ method }) => method !== 'GET');
    assert.deepEqual([gone?.method, made?.method], ['DELETE', 'PATCH']);
    const { preconditions } = applied(gone) as { preconditions: unknown };
    assert.deepEqual(preconditions, { uid: before?.uid, resourceVersion: before?.resourceVersion });
    assert.notEqual(scene.hub.at(copyPath('a'))?.metadata.uid, before?.uid);
  });

  it('makes anew what it has deleted, whatever is learned in between', async () => {
    const { context, hub, mirrored, seen, reconcile } = await mirrorScene();
    await mirrored('a');
    seen('a', tenantSlice('a', {}, { addressType: 'IPv4' }));
    hub.fault = ({ method }) => {
      if (method === 'DELETE') context.rules.decide = () => ({ kind: 'keep', reason: 'LocationUnread' });
      return undefined;
    };
    assert.deepEqual(await reconcile('a'), { action: 'replaced' });
    assert.deepEqual(hub.writes, [`DELETE ${copyPath('a')}`, `PATCH ${copyPath('a')}`]);
  });

  it('replaces nothing for a plane that is another one than a moment ago', async () => {
    const scene = await mirrorScene();
    await scene.mirrored('a');
    await scene.context.rules.verifySource({ signal: new AbortController().signal, maxAgeMs: 0 });
    await scene.clock.advance(1_000);
    scene.source.remove(IDENTITY_PATH);
    scene.source.put(IDENTITY_PATH, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'kube-system', uid: 'other-uid' } });
    scene.seen('a', tenantSlice('a', {}, { addressType: 'IPv4' }));
    await assert.rejects(scene.reconcile('a'), { code: 'IdentityFenced' });
    assert.deepEqual(scene.hub.writes, []);
  });

  it('replaces nothing where an event takes back what called for it while the copy is read', async () => {
    const scene = await mirrorScene();
    await scene.mirrored('a');
    scene.seen('a', tenantSlice('a', {}, { addressType: 'IPv4' }));
    scene.hub.fault = whenAsked(copyPath('a'), () => scene.seen('a'));
    await scene.reconcile('a');
    assert.deepEqual(scene.hub.writes, []);
  });

  it('makes nothing anew while a foreign finalizer holds what is to be replaced', async () => {
    const scene = await mirrorScene();
    await scene.mirrored('a');
    scene.hub.put(copyPath('a'), { metadata: { name: 'copy-a', namespace: 'ns', finalizers: ['somebody/else'] } });
    scene.showCopies('a');
    scene.seen('a', tenantSlice('a', {}, { addressType: 'IPv4' }));
    assert.deepEqual(await scene.reconcile('a'), { action: 'waiting', reason: 'CopyTerminating', report: true });
    assert.deepEqual(scene.hub.writes, [`DELETE ${copyPath('a')}`]);
  });

  it('waits for a copy that is going', async () => {
    const scene = await mirrorScene();
    await scene.mirrored('a');
    scene.hub.put(copyPath('a'), { metadata: { name: 'copy-a', namespace: 'ns', deletionTimestamp: '2030-01-01T00:00:00Z' } });
    scene.showCopies('a');
    scene.seen('a', tenantSlice('a', {}, { endpoints: [] }));
    assert.deepEqual(await scene.reconcile('a'), { action: 'waiting', reason: 'CopyTerminating' });
    assert.deepEqual(scene.hub.writes, []);
  });
});
