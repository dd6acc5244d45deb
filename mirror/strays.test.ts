import assert from 'node:assert/strict';
import type { KubeObject, ObjectMeta } from '#api/objects.ts';
import { WaitingError } from '#kube/errors.ts';
import { status } from '#kube/testing/scripted-transport.ts';
import { onceAsked, whenAsked } from '#mirror/testing/memory-server.ts';
import { copyOf, copyPath, IDENTITY_PATH, mirrorScene, sourcePath, tenantSlice } from '#mirror/testing/scene.ts';
import { findUnclaimed } from '#mirror/unclaimed.ts';

/** The copy of `a` under a name that its source does not call for: from a location of before. */
function strayCopy(more: Partial<ObjectMeta> = {}): KubeObject {
  const { metadata, ...body } = copyOf(tenantSlice('a'));
  return { ...body, metadata: { ...metadata, name: 'copy-stray', labels: { ...metadata.labels, origin: 'before' }, ...more } };
}

/** The source `a` and its copy, and a stray beside it that was found. */
async function scene(stray = strayCopy()) {
  const base = await mirrorScene();
  await base.mirrored('a');
  base.hub.put(copyPath('stray'), stray, 'fedhub-test');
  base.showCopies('stray');
  const find = () => findUnclaimed(base.context, (source) => base.context.observed.has(source));
  base.hub.requests.length = 0;
  return { ...base, find };
}

describe('copies that stand in the wrong place', () => {
  it('are found by their own word, and their source is to be looked at', async () => {
    const { context, find } = await scene();
    assert.deepEqual(find(), { sources: new Set(['ns/a']), misplaced: 0, others: 0 });
    assert.deepEqual(context.strays.get('ns/a'), new Set(['ns/copy-stray']));
  });

  it('are only counted where their source is not recorded', async () => {
    const unsure = strayCopy({ name: 'copy-stray', annotations: { cluster: 'cell-uid' } });
    const { context, find } = await scene(unsure);
    assert.deepEqual(find(), { sources: new Set(), misplaced: 1, others: 0 });
    assert.equal(context.strays.size, 0);
  });

  it('are none of ours where they came from another cluster and another place', async () => {
    const { find } = await scene(strayCopy({ annotations: { source: 'ns/a', cluster: 'other-uid' } }));
    assert.deepEqual(find(), { sources: new Set(), misplaced: 0, others: 0 });
  });

  it('are only counted where another cluster left them here', async () => {
    const { metadata } = strayCopy();
    const labels = { ...metadata.labels, origin: 'here' };
    const { context, find } = await scene(strayCopy({ labels, annotations: { source: 'ns/a', cluster: 'other-uid' } }));
    assert.deepEqual(find(), { sources: new Set(), misplaced: 1, others: 0 });
    assert.equal(context.strays.size, 0);
  });

  it('are not the right copy, whatever was once noted of it', async () => {
    const { context, hub, reconcile } = await scene();
    context.strays.set('ns/a', new Set(['ns/copy-a']));
    assert.deepEqual(await reconcile('a', 'sweep'), { action: 'none' });
    assert.deepEqual(hub.writes, []);
  });

  it('stay on a plane that is another one than before', async () => {
    const { hub, source, find, reconcile } = await scene();
    find();
    source.remove(IDENTITY_PATH);
    source.put(IDENTITY_PATH, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'kube-system', uid: 'other-uid' } });
    await assert.rejects(reconcile('a', 'sweep'), { code: 'IdentityFenced' });
    assert.deepEqual(hub.writes, []);
  });

  it('go in the lane that waits for every publication, with the right copy up', async () => {
    const { context, hub, find, reconcile } = await scene();
    find();
    assert.deepEqual(await reconcile('a', 'repair'), { action: 'none', requeue: 'sweep' });
    assert.deepEqual(hub.writes, []);
    assert.deepEqual(await reconcile('a', 'sweep'), { action: 'withdrawn', reason: 'Misplaced' });
    assert.deepEqual(hub.writes, [`DELETE ${copyPath('stray')}`]);
    assert.ok(hub.at(copyPath('a')));
    assert.equal(context.strays.size, 0);
  });

  it('stay until the right copy is up', async () => {
    const { context, hub, find, showCopies, reconcile } = await scene();
    hub.remove(copyPath('a'));
    showCopies('a');
    find();
    hub.fault = (request) => (request.method === 'PATCH' ? status(500, 'InternalError')(request) : undefined);
    await assert.rejects(reconcile('a', 'sweep'), { code: 'ServerError' });
    hub.fault = () => undefined;
    assert.deepEqual(await reconcile('a', 'sweep'), { action: 'created', requeue: 'sweep' });
    assert.ok(hub.at(copyPath('stray')));
    assert.deepEqual(await reconcile('a', 'sweep'), { action: 'withdrawn', reason: 'Misplaced' });
    assert.equal(context.strays.size, 0);
  });

  it('stay where a live read says that the place is another one by now, though the right copy is up', async () => {
    const { context, hub, find, reconcile } = await scene();
    find();
    context.rules.verifyPlace = () => Promise.reject(new WaitingError('LocationUnread', 'elsewhere', 1));
    await assert.rejects(reconcile('a', 'sweep'), { name: 'WaitingError', code: 'LocationUnread' });
    assert.deepEqual(hub.writes, []);
    assert.ok(context.strays.has('ns/a'));
  });

  it('stay where the right copy is seen to go while the plane is asked who it is, until it is up again', async () => {
    const { context, hub, source, find, showCopies, reconcile } = await scene();
    find();
    const goes = () => {
      hub.remove(copyPath('a'));
      showCopies('a');
    };
    source.fault = onceAsked(sourcePath('a'), whenAsked(IDENTITY_PATH, goes));
    assert.deepEqual(await reconcile('a', 'sweep'), { action: 'none', requeue: 'live' });
    assert.deepEqual(hub.writes, []);
    assert.ok(context.strays.has('ns/a'));
    source.fault = () => undefined;
    assert.deepEqual(await reconcile('a'), { action: 'created', requeue: 'sweep' });
    assert.deepEqual(await reconcile('a', 'sweep'), { action: 'withdrawn', reason: 'Misplaced' });
  });

  it('stay where a live read finds that somebody has deleted the right copy, unheard, until it is up again', async () => {
    const { context, hub, find, reconcile } = await scene();
    find();
    hub.remove(copyPath('a'));
    assert.deepEqual(await reconcile('a', 'sweep'), { action: 'created', requeue: 'sweep' });
    assert.ok(hub.at(copyPath('a')));
    assert.ok(context.strays.has('ns/a'));
    assert.deepEqual(await reconcile('a', 'sweep'), { action: 'withdrawn', reason: 'Misplaced' });
  });

  it('stay where a live read finds that the name of the right copy is somebody else’s by now', async () => {
    const { hub, find, reconcile } = await scene();
    find();
    hub.remove(copyPath('a'));
    hub.put(
      copyPath('a'),
      { ...copyOf(tenantSlice('a')), metadata: { name: 'copy-a', namespace: 'ns', labels: { theirs: 'yes' } } },
      'kubectl',
    );
    hub.requests.length = 0;
    assert.deepEqual(await reconcile('a', 'sweep'), { action: 'refused', reason: 'NameTaken', report: true });
    assert.deepEqual(hub.writes, []);
  });

  it('stay where what decides about their source has changed while the plane was asked who it is', async () => {
    const { context, hub, source, find, reconcile } = await scene();
    find();
    source.fault = onceAsked(
      sourcePath('a'),
      whenAsked(IDENTITY_PATH, () => (context.rules.decide = () => ({ kind: 'keep', reason: 'LocationUnread' }))),
    );
    assert.deepEqual(await reconcile('a', 'sweep'), { action: 'none', requeue: 'live' });
    assert.deepEqual(hub.writes, []);
    assert.ok(context.strays.has('ns/a'));
  });

  it('go with a source that is gone, of whose place nobody need ask', async () => {
    const { context, hub, find, seenDeleted, reconcile } = await scene();
    find();
    context.rules.verifyPlace = () => Promise.reject(new WaitingError('LocationUnread', 'elsewhere', 1));
    seenDeleted('a');
    await reconcile('a', 'live');
    assert.deepEqual(await reconcile('a', 'sweep'), { action: 'withdrawn', reason: 'Misplaced' });
    assert.equal(hub.at(copyPath('stray')), undefined);
  });

  it('go with their source, the right copy first', async () => {
    const { hub, find, seenDeleted, reconcile } = await scene();
    find();
    seenDeleted('a');
    assert.deepEqual(await reconcile('a', 'live'), { action: 'withdrawn', reason: 'SourceAbsent', requeue: 'sweep' });
    assert.deepEqual(await reconcile('a', 'sweep'), { action: 'withdrawn', reason: 'Misplaced' });
    assert.deepEqual(hub.writes, [`DELETE ${copyPath('a')}`, `DELETE ${copyPath('stray')}`]);
  });

  it('go with their source, whoever has taken the name of the right copy', async () => {
    const { context, hub, find, seenDeleted, showCopies, reconcile } = await scene();
    const { metadata, ...body } = copyOf(tenantSlice('a'));
    hub.put(
      copyPath('a'),
      { ...body, metadata: { ...metadata, annotations: { ...metadata.annotations, cluster: 'other-uid' } } },
      'fedhub-test',
    );
    showCopies('a');
    find();
    seenDeleted('a');
    assert.deepEqual(await reconcile('a', 'sweep'), { action: 'withdrawn', reason: 'Misplaced' });
    assert.deepEqual(hub.writes, [`DELETE ${copyPath('stray')}`]);
    assert.equal(context.strays.size, 0);
  });

  it('go while their source is leaving, where the right name is not ours', async () => {
    const { hub, source, find, seen, showCopies, reconcile } = await scene();
    const { metadata } = copyOf(tenantSlice('a'));
    hub.put(copyPath('a'), { metadata: { ...metadata, annotations: { source: 'ns/a', cluster: 'other-uid' } } }, 'fedhub-test');
    showCopies('a');
    find();
    const leaving = tenantSlice('a', { labels: {} });
    source.put(sourcePath('a'), leaving);
    seen('a', leaving);
    assert.deepEqual(await reconcile('a', 'repair'), { action: 'none', requeue: 'sweep' });
    assert.deepEqual(await reconcile('a', 'sweep'), { action: 'withdrawn', reason: 'Misplaced' });
    assert.deepEqual(hub.writes, [`DELETE ${copyPath('stray')}`]);
  });

  it('go with their source, also where only a live read finds that the name of the right copy is taken', async () => {
    const { hub, find, seenDeleted, reconcile } = await scene();
    const { metadata } = copyOf(tenantSlice('a'));
    hub.put(copyPath('a'), { metadata: { ...metadata, annotations: { source: 'ns/b', cluster: 'cell-uid' } } }, 'fedhub-test');
    find();
    seenDeleted('a');
    assert.deepEqual(await reconcile('a', 'sweep'), { action: 'withdrawn', reason: 'Misplaced' });
    assert.deepEqual(hub.writes, [`DELETE ${copyPath('stray')}`]);
  });

  it('stay while their source is passed over', async () => {
    const { context, hub, find, showCopies, reconcile } = await scene();
    hub.remove(copyPath('a'));
    showCopies('a');
    find();
    context.observed.doubt('ns/a');
    context.rules = { ...context.rules, selects: () => false, decide: () => ({ kind: 'keep', reason: 'PassedOver' }) };
    assert.deepEqual(await reconcile('a', 'sweep'), { action: 'kept', reason: 'PassedOver', report: false });
    assert.deepEqual(hub.writes, []);
    assert.ok(context.strays.has('ns/a'));
  });

  it('stay while it is not known whether their source is there', async () => {
    const { hub, source, find, reconcile } = await scene();
    find();
    source.fault = (request) => (request.path === sourcePath('a') ? status(403, 'Forbidden')(request) : undefined);
    await assert.rejects(reconcile('a', 'sweep'), { code: 'Forbidden' });
    assert.deepEqual(hub.writes, []);
  });

  it('stay where the hub says by now that they are the copy of another source', async () => {
    const { context, hub, find, reconcile } = await scene();
    find();
    hub.put(copyPath('stray'), strayCopy({ annotations: { source: 'ns/b', cluster: 'cell-uid' } }), 'fedhub-test');
    assert.deepEqual(await reconcile('a', 'sweep'), { action: 'refused', reason: 'NameTaken', report: true });
    assert.deepEqual(hub.writes, []);
    assert.ok(context.strays.has('ns/a'));
  });
});
