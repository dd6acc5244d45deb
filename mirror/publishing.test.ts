import assert from 'node:assert/strict';
import type { KubeObject, ObjectMeta } from '#api/objects.ts';
import type { ApiRequest } from '#kube/transport.ts';
import { settle } from '#kube/testing/manual-clock.ts';
import { json, status } from '#kube/testing/scripted-transport.ts';
import { judge } from '#mirror/judge.ts';
import type { MirrorContext } from '#mirror/mirror-context.ts';
import { whenAsked } from '#mirror/testing/memory-server.ts';
import { copyOf, copyPath, foreignCopy, IDENTITY_PATH, mirrorScene, sourcePath, tenantSlice } from '#mirror/testing/scene.ts';

const KARMADA = { 'karmada.io/managed': 'true' };
const applied = (request: ApiRequest | undefined): unknown => JSON.parse(request?.body ?? 'null');
const isApply = ({ method }: ApiRequest) => method === 'PATCH';

/** Marks that make an object under the copy's name that of somebody else, by what they say. */
const FOREIGN_MARKS: [what: string, marks: Marks][] = [
  ['is the copy of another source', { annotations: { source: 'ns/b' } }],
  ['came from another place', { labels: { origin: 'there' } }],
  ['has its source in another cluster', { annotations: { cluster: 'other-uid' } }],
];

type Marks = Pick<ObjectMeta, 'labels' | 'annotations'>;

/** From now on the rules call for copies with this in their metadata. */
function callFor(rules: MirrorContext<KubeObject>['rules'], { name, labels }: Pick<Partial<ObjectMeta>, 'name' | 'labels'>): void {
  const { decide } = rules;
  rules.decide = (...asked) => {
    const decision = decide(...asked);
    if (decision.kind !== 'copy') return decision;
    const { metadata, ...body } = decision.copy;
    const changed = { ...metadata, ...(name && { name }), labels: { ...metadata.labels, ...labels } };
    return { ...decision, copy: { ...body, metadata: changed } };
  };
  if (name) rules.copyKey = () => `ns/${name}`;
}

/** Both ends listed: the source `a` is there, and what the test put on the hub. */
async function listed(...copies: string[]) {
  const scene = await mirrorScene();
  scene.source.put(sourcePath('a'), tenantSlice('a'));
  scene.listHub(...copies);
  scene.listSources('a');
  return scene;
}

describe('publishing a copy for the first time', () => {
  it('reads the name live, and applies exactly the copy, without force', async () => {
    const { hub, reconcile } = await listed();
    assert.deepEqual(await reconcile('a'), { action: 'created' });
    assert.deepEqual(
      hub.requests.map(({ method, path }) => `${method} ${path}`),
      [`GET ${copyPath('a')}`, `PATCH ${copyPath('a')}`],
    );
    assert.deepEqual(hub.requests[1]?.query, { fieldManager: 'fedhub-test', force: 'false' });
    assert.deepEqual(applied(hub.requests[1]), copyOf(tenantSlice('a')));
  });

  it('reads no source whose event has just carried it', async () => {
    const { source, reconcile } = await listed();
    await reconcile('a');
    assert.deepEqual(
      source.requests.map(({ path }) => path),
      [IDENTITY_PATH],
    );
  });

  for (const what of ['has none of our marks', 'is the copy of another source', 'came from another place']) {
    it(`is refused where an object that ${what} stands under the name, and writes nothing`, async () => {
      const scene = await mirrorScene();
      const ours = copyOf(tenantSlice('a')).metadata;
      const marks = what.startsWith('has none')
        ? { labels: {} }
        : { labels: { ...ours.labels, ...(what.startsWith('came') && { origin: 'there' }) } };
      const annotations = { ...ours.annotations, ...(what.startsWith('is the') && { source: 'ns/b' }) };
      scene.hub.put(copyPath('a'), { ...tenantSlice('a'), metadata: { ...ours, ...marks, annotations } });
      scene.source.put(sourcePath('a'), tenantSlice('a'));
      scene.listHub();
      scene.listSources('a');
      assert.deepEqual(await scene.reconcile('a'), { action: 'refused', reason: 'NameTaken', report: true });
      assert.deepEqual(scene.hub.writes, []);
      scene.hub.remove(copyPath('a'));
      scene.showCopies('a');
      assert.deepEqual(await scene.reconcile('a'), { action: 'created' });
    });
  }

  it('is refused by the server where a foreign object appears after the name was read as free', async () => {
    const { hub, reconcile } = await listed();
    hub.fault = (request) => {
      if (isApply(request)) hub.put(copyPath('a'), tenantSlice('a', { name: 'copy-a', labels: { origin: 'theirs' } }));
      return undefined;
    };
    await assert.rejects(reconcile('a'), { code: 'Conflict' });
    assert.deepEqual(hub.at(copyPath('a'))?.metadata.labels, { origin: 'theirs' });
  });

  for (const [what, marks] of FOREIGN_MARKS) {
    it(`is refused where the hub shows an object that ${what} under the name while the plane is asked who it is`, async () => {
      const { hub, source, showCopies, reconcile } = await listed();
      source.fault = (request) => {
        if (request.path !== IDENTITY_PATH) return undefined;
        hub.put(copyPath('a'), foreignCopy(marks));
        showCopies('a');
        return undefined;
      };
      assert.deepEqual(await reconcile('a'), { action: 'refused', reason: 'NameTaken', report: true });
      assert.deepEqual(hub.writes, []);
    });
  }

  it('is refused where the hub shows a foreign object under the name while what the copy needs is prepared', async () => {
    const { context, hub, showCopies, reconcile } = await listed();
    context.rules.prepare = async () => {
      hub.put(copyPath('a'), foreignCopy({ annotations: { source: 'ns/b' } }));
      showCopies('a');
    };
    assert.deepEqual(await reconcile('a'), { action: 'refused', reason: 'NameTaken', report: true });
    assert.deepEqual(hub.writes, []);
  });

  it('does not happen where what decides about the source has changed while the plane was asked who it is', async () => {
    const { context, hub, source, reconcile } = await listed();
    source.fault = (request) => {
      if (request.path === IDENTITY_PATH) context.rules.decide = () => ({ kind: 'keep', reason: 'LocationUnread' });
      return undefined;
    };
    assert.deepEqual(await reconcile('a'), { action: 'kept', reason: 'LocationUnread', report: false });
    assert.deepEqual(hub.writes, []);
  });

  it('does not happen where what decides about the source has changed while the write waits because the hub asked for it', async () => {
    const { clock, context, hub, reconcile } = await listed();
    hub.fault = whenAsked(copyPath('a'), () => context.hub.gate.holdFor(2_000));
    const outcome = reconcile('a');
    await settle();
    context.rules.decide = () => ({ kind: 'keep', reason: 'LocationUnread' });
    await clock.advance(2_000);
    assert.deepEqual(await outcome, { action: 'none', requeue: 'live' });
    assert.deepEqual(hub.writes, []);
  });

  it('happens with what is called for now where that has changed while the plane was asked who it is', async () => {
    const { context, hub, source, reconcile } = await listed();
    source.fault = whenAsked(IDENTITY_PATH, () => callFor(context.rules, { labels: { tier: 'new' } }));
    assert.deepEqual(await reconcile('a'), { action: 'created' });
    assert.deepEqual(hub.writes, [`PATCH ${copyPath('a')}`]);
    assert.equal(hub.at(copyPath('a'))?.metadata.labels?.['tier'], 'new');
    source.fault = () => undefined;
    assert.deepEqual(await reconcile('a'), { action: 'none' });
  });

  it("is begun anew where the copy's place has changed meanwhile", async () => {
    const { context, hub, source, reconcile } = await listed();
    source.fault = whenAsked(IDENTITY_PATH, () => callFor(context.rules, { name: 'copy-elsewhere' }));
    assert.deepEqual(await reconcile('a'), { action: 'none', requeue: 'live' });
    assert.deepEqual(hub.writes, []);
    source.fault = () => undefined;
    assert.deepEqual(await reconcile('a'), { action: 'created' });
    assert.deepEqual(hub.writes, [`PATCH ${copyPath('elsewhere')}`]);
  });

  it("does not happen where the copy's place has changed meanwhile to one that is taken", async () => {
    const { context, hub, source, reconcile } = await listed();
    hub.put(copyPath('elsewhere'), tenantSlice('a', { name: 'copy-elsewhere' }));
    source.fault = whenAsked(IDENTITY_PATH, () => callFor(context.rules, { name: 'copy-elsewhere' }));
    assert.deepEqual(await reconcile('a'), { action: 'refused', reason: 'NameTaken', report: true });
    assert.deepEqual(hub.writes, []);
  });

  it('does not happen where another cell publishes under the name while the plane is asked who it is, before the hub has told of it', async () => {
    const { hub, source, reconcile } = await listed();
    const another = foreignCopy({ annotations: { cluster: 'other-uid' } });
    source.fault = whenAsked(IDENTITY_PATH, () => hub.put(copyPath('a'), another, 'fedhub-test'));
    assert.deepEqual(await reconcile('a'), { action: 'refused', reason: 'NameTaken', report: true });
    assert.deepEqual(hub.writes, []);
  });

  it('takes over a copy of ours that the index did not know yet', async () => {
    const { hub, reconcile } = await listed();
    hub.put(copyPath('a'), copyOf(tenantSlice('a')), 'fedhub-test');
    assert.deepEqual(await reconcile('a'), { action: 'none' });
    assert.deepEqual(hub.writes, []);
  });

  it('does not happen where the name cannot be read', async () => {
    const { hub, reconcile } = await listed();
    hub.fault = status(403, 'Forbidden');
    await assert.rejects(reconcile('a'), { code: 'Forbidden' });
    assert.deepEqual(hub.writes, []);
  });

  it('does not happen for a plane that is another one than before', async () => {
    const { hub, source, reconcile } = await listed();
    const other = json({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'kube-system', uid: 'other-uid' } });
    source.fault = (request) => (request.path === IDENTITY_PATH ? other(request) : undefined);
    await assert.rejects(reconcile('a'), { code: 'IdentityFenced' });
    assert.deepEqual(hub.writes, []);
  });

  it('prepares what the copy needs first, and does not happen where that fails', async () => {
    const { context, hub, reconcile } = await listed();
    context.rules.prepare = () => Promise.reject(new Error('not yet'));
    await assert.rejects(reconcile('a'), /not yet/);
    assert.deepEqual(hub.writes, []);
  });
});

describe('a copy that is right already', () => {
  it('is written no more, and read no more', async () => {
    const scene = await mirrorScene();
    await scene.mirrored('a');
    scene.seen('a');
    assert.equal(scene.context.queue.depth, 0);
    assert.deepEqual(await scene.reconcile('a'), { action: 'none' });
    assert.deepEqual([...scene.hub.requests, ...scene.source.requests], []);
  });

  it('is written no more where the server answers with defaults of its own', async () => {
    const scene = await listed();
    scene.hub.defaults = { defaulted: true };
    await scene.reconcile('a');
    scene.hub.requests.length = 0;
    scene.listHub('a');
    scene.listSources('a');
    assert.deepEqual(await scene.reconcile('a'), { action: 'none' });
    assert.deepEqual(scene.hub.requests, []);
  });

  it('is written no more where Karmada added its marks', async () => {
    const scene = await mirrorScene();
    await scene.mirrored('a');
    const held = scene.hub.at(copyPath('a'));
    assert.ok(held);
    scene.hub.put(copyPath('a'), { ...held, metadata: { name: 'copy-a', namespace: 'ns', labels: KARMADA } }, 'karmada');
    scene.listHub('a');
    scene.listSources('a');
    assert.deepEqual(await scene.reconcile('a'), { action: 'none' });
    assert.equal(scene.hub.at(copyPath('a'))?.metadata.labels?.['karmada.io/managed'], 'true');
  });

  it('is put right when somebody changed it, from what the source says now', async () => {
    const scene = await mirrorScene();
    await scene.mirrored('a');
    scene.hub.put(copyPath('a'), { ...copyOf(tenantSlice('a')), endpoints: ['by hand'] });
    scene.showCopies('a');
    assert.deepEqual(await scene.reconcile('a'), { action: 'updated' });
  });
});

describe('an event that may be older than the proof that its source is gone', () => {
  it('publishes nothing by itself: the source is read live first', async () => {
    const scene = await mirrorScene();
    await scene.mirrored('a');
    scene.seenDeleted('a');
    await scene.reconcile('a');
    judge(scene.context, tenantSlice('a'), { priority: 'live' });
    scene.hub.requests.length = 0;
    await scene.reconcile('a');
    assert.deepEqual(scene.hub.writes, []);
    assert.equal(scene.source.requests.at(-1)?.path, sourcePath('a'));
  });

  it('publishes again once a live read has found the source', async () => {
    const scene = await mirrorScene();
    await scene.mirrored('a');
    scene.seenDeleted('a');
    await scene.reconcile('a');
    scene.seen('a');
    assert.deepEqual(await scene.reconcile('a'), { action: 'created' });
  });
});
