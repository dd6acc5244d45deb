import assert from 'node:assert/strict';
import type { KubeObject } from '#api/objects.ts';
import { NotSentError } from '#kube/errors.ts';
import { type Answer, hang, json, status, text } from '#kube/testing/scripted-transport.ts';
import { deleteCopy } from '#mirror/delete-copy.ts';
import { copyOf, copyPath, mirrorScene, tenantSlice } from '#mirror/testing/scene.ts';

const owner = { origin: 'here', sourceCluster: 'cell-uid', source: 'ns/a' };
const COPY = copyOf(tenantSlice('a'));

/** A copy on the hub, known to the index, and its deletion. */
async function scene(copy: KubeObject = COPY) {
  const { hub, context, listHub, clock } = await mirrorScene();
  hub.put(copyPath('a'), copy, 'fedhub-test');
  listHub('a');
  const signal = new AbortController().signal;
  const remove = (more: { stillSo?: () => boolean } = {}) =>
    deleteCopy(context, 'ns/copy-a', { owner, signal, priority: 'live', because: 'SourceAbsent', ...more });
  return { hub, context, clock, remove };
}

const changed = (metadata: Partial<KubeObject['metadata']>): KubeObject => ({ ...COPY, metadata: { ...COPY.metadata, ...metadata } });
const { labels, annotations } = COPY.metadata;

const NOT_OURS: [what: string, copy: KubeObject][] = [
  ['without our label', changed({ labels: { origin: 'here' } })],
  ['of another origin', changed({ labels: { ...labels, origin: 'there' } })],
  ['of another source', changed({ annotations: { ...annotations, source: 'ns/b' } })],
  ['without its source', changed({ annotations: { cluster: 'cell-uid' } })],
  ['from another cluster', changed({ annotations: { ...annotations, cluster: 'other-uid' } })],
  ['without its cluster', changed({ annotations: { source: 'ns/a' } })],
];

describe('deleting a copy', () => {
  it('deletes the very object that was read a moment before', async () => {
    const { hub, context, remove } = await scene();
    const { uid, resourceVersion } = hub.at(copyPath('a'))?.metadata ?? {};
    assert.deepEqual(await remove(), { action: 'withdrawn', reason: 'SourceAbsent' });
    const body = JSON.parse(hub.requests.at(-1)?.body ?? '') as { preconditions: unknown };
    assert.deepEqual(body.preconditions, { uid, resourceVersion });
    assert.equal(context.published.get('ns/copy-a'), undefined);
  });

  for (const [what, copy] of NOT_OURS) {
    it(`refuses an object ${what}`, async () => {
      const { hub, remove } = await scene(copy);
      assert.deepEqual(await remove(), { action: 'refused', reason: 'NameTaken', report: true });
      assert.deepEqual(hub.writes, []);
    });
  }

  it('believes the hub and not the index: a copy that was taken over meanwhile is refused', async () => {
    const { hub, remove } = await scene();
    hub.remove(copyPath('a'));
    hub.put(copyPath('a'), tenantSlice('a', { name: 'copy-a' }));
    assert.equal((await remove()).action, 'refused');
    assert.deepEqual(hub.writes, []);
  });

  it('deletes nothing that changed between the read and the deletion', async () => {
    const { hub, remove } = await scene();
    const stillSo = () => {
      hub.put(copyPath('a'), { ...COPY, metadata: { name: 'copy-a', labels: { more: 'x' } } }, 'karmada');
      return true;
    };
    await assert.rejects(remove({ stillSo }), { code: 'Conflict' });
    assert.ok(hub.at(copyPath('a')));
  });

  it('deletes nothing that an event overtook at the last moment', async () => {
    const { hub, remove } = await scene();
    await assert.rejects(remove({ stillSo: () => false }), NotSentError);
    assert.deepEqual(hub.writes, []);
  });

  it('is done where the copy is gone already', async () => {
    const { hub, context, remove } = await scene();
    hub.remove(copyPath('a'));
    assert.deepEqual(await remove(), { action: 'withdrawn', reason: 'SourceAbsent' });
    assert.equal(context.published.get('ns/copy-a'), undefined);
  });

  it('is not done while a foreign finalizer holds the copy, and is not asked for twice', async () => {
    const { hub, context, remove } = await scene(changed({ finalizers: ['somebody/else'] }));
    const waiting = { action: 'waiting', reason: 'CopyTerminating', report: true };
    assert.deepEqual(await remove(), waiting);
    assert.deepEqual(await remove(), waiting);
    assert.equal(hub.writes.length, 1);
    assert.ok(context.published.get('ns/copy-a'));
  });

  const answers: [string, Answer][] = [
    ['403', status(403, 'Forbidden')],
    ['404 for the path', text('404 page not found', 404)],
    ['500', status(500, 'InternalError')],
    ['HTML', text('<html></html>')],
    ['another object', json(tenantSlice('b'))],
  ];
  for (const [what, answer] of answers) {
    it(`does not happen, and the index still knows the copy, where the hub answers the read with ${what}`, async () => {
      const { hub, context, remove } = await scene();
      hub.fault = answer;
      await assert.rejects(remove(), { name: 'ApiError' });
      assert.deepEqual(hub.writes, []);
      assert.ok(context.published.get('ns/copy-a'));
    });
  }

  it('is not taken for done where the hub does not answer', async () => {
    const { hub, context, clock, remove } = await scene();
    hub.fault = (request) => (request.method === 'DELETE' ? hang(request) : undefined);
    const rejected = assert.rejects(remove(), { code: 'Timeout' });
    await clock.advance(30_000);
    await rejected;
    assert.ok(context.published.get('ns/copy-a'));
  });
});
