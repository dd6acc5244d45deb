import assert from 'node:assert/strict';
import { type Answer, status, text } from '#kube/testing/scripted-transport.ts';
import { conclude, concludeList } from '#mirror/conclude.ts';
import { judge } from '#mirror/judge.ts';
import { sweep } from '#mirror/sweep.ts';
import { whenAsked } from '#mirror/testing/memory-server.ts';
import { copyOf, copyPath, mirrorScene, sourcePath, tenantSlice } from '#mirror/testing/scene.ts';

const signal = new AbortController().signal;
const SLICES = '/apis/discovery.k8s.io/v1/endpointslices';

/** A scene with these sources mirrored, and its sweep: what it found, and what is queued after that. */
async function scene(...names: string[]) {
  const base = await mirrorScene();
  await base.mirrored(...names);
  const { context } = base;
  const queued = async () => {
    const keys: string[] = [];
    while (context.queue.depth > 0) {
      const next = await context.queue.next(signal);
      if (!next) break;
      keys.push(`${next.key} ${next.priority}`);
      context.queue.done(next.key);
    }
    return keys;
  };
  const swept = async () => {
    const result = await sweep(context, { signal });
    conclude(context, result);
    return { ...result, queued: await queued() };
  };
  return { ...base, swept };
}

describe('a sweep', () => {
  it('asks for nothing and writes nothing where both sides agree', async () => {
    const { hub, swept } = await scene('a', 'b');
    const { seen, suspects, misplaced, queued } = await swept();
    assert.deepEqual([seen.size, suspects.size, misplaced, queued], [2, 0, 0, []]);
    assert.deepEqual(hub.requests, []);
  });

  it('reads the plane live, in pages, with the selector of the rules', async () => {
    const { source, swept } = await scene('a');
    await swept();
    const [request] = source.requests;
    assert.deepEqual([request?.path, request?.query], [SLICES, { limit: '500', labelSelector: 'tenant' }]);
  });

  it('finds a source that no event told of, and queues it before suspects', async () => {
    const { source, swept } = await scene('a');
    source.put(sourcePath('new'), tenantSlice('new'));
    source.remove(sourcePath('a'));
    assert.deepEqual((await swept()).queued, ['ns/new repair', 'ns/a sweep']);
  });

  it('finds a copy whose source went without an event, and withdraws it only by a live read of its own', async () => {
    const { hub, source, swept, reconcile } = await scene('a', 'b');
    source.remove(sourcePath('a'));
    const { queued } = await swept();
    assert.deepEqual(queued, ['ns/a sweep']);
    assert.deepEqual(hub.writes, []);
    assert.deepEqual(await reconcile('a', 'sweep'), { action: 'withdrawn', reason: 'SourceAbsent' });
    assert.ok(hub.at(copyPath('b')));
  });

  it('finds a copy that was changed by hand, if nothing else has found it', async () => {
    const { hub, showCopies, swept } = await scene('a');
    hub.put(copyPath('a'), { ...copyOf(tenantSlice('a')), endpoints: ['by hand'] });
    showCopies('a');
    assert.deepEqual((await swept()).queued, ['ns/a repair']);
  });

  it('finds what is remembered and is not there, without a copy as well', async () => {
    const { context, swept } = await scene('a');
    context.observed.note('ns/ghost', undefined, 0);
    assert.deepEqual((await swept()).queued, ['ns/ghost sweep']);
  });

  it('keeps a suspect that is there after all', async () => {
    const { hub, source, swept, reconcile } = await scene('a');
    source.remove(sourcePath('a'));
    await swept();
    source.put(sourcePath('a'), tenantSlice('a'));
    assert.equal((await reconcile('a', 'sweep')).action, 'none');
    assert.deepEqual(hub.writes, []);
  });

  const failures: [string, Answer, string][] = [
    ['403', status(403, 'Forbidden'), 'Forbidden'],
    ['404', text('404 page not found', 404), 'NotServed'],
    ['410', status(410, 'Expired'), 'Expired'],
    ['500', status(500, 'InternalError'), 'ServerError'],
    ['HTML', text('<html></html>'), 'Malformed'],
  ];
  for (const [what, answer, code] of failures) {
    it(`suspects nothing when a page after the first answers ${what}`, async () => {
      const names = Array.from({ length: 501 }, (_, at) => `pod-${at}`);
      const { context, source, swept } = await scene(...names);
      for (const name of names.slice(1)) source.remove(sourcePath(name));
      for (const at of names.keys()) source.put(sourcePath(`new-${at}`), tenantSlice(`new-${at}`));
      source.fault = (request) => (request.query?.['continue'] === undefined ? undefined : answer(request));
      await assert.rejects(swept(), { code });
      assert.ok(names.every((name) => context.observed.has(`ns/${name}`)));
      assert.equal(context.guard.frozen, undefined);
    });
  }

  it('leaves the copies of another place alone, whatever they say', async () => {
    const { context, hub, swept } = await scene('a');
    const other = copyOf(tenantSlice('other'));
    const labels = { ...other.metadata.labels, origin: 'there' };
    const annotations = { ...other.metadata.annotations, cluster: 'other-uid' };
    hub.put(copyPath('other'), { ...other, metadata: { ...other.metadata, labels, annotations } }, 'fedhub-test');
    const copy = hub.at(copyPath('other'));
    assert.ok(copy);
    context.published.handler.present(copy);
    const { suspects, misplaced, queued } = await swept();
    assert.deepEqual([suspects.size, misplaced, queued], [0, 0, []]);
  });

  it('leaves the copies that another cluster has at the same place alone, and doubts nothing for them', async () => {
    const names = Array.from({ length: 60 }, (_, at) => `other-${at}`);
    const { context, source, hub, showCopies, swept, reconcile } = await scene('a');
    for (const name of names) {
      const { metadata, ...body } = copyOf(tenantSlice(name));
      const annotations = { ...metadata.annotations, cluster: 'other-uid' };
      hub.put(copyPath(name), { ...body, metadata: { ...metadata, annotations } }, 'fedhub-test');
    }
    showCopies(...names);
    source.remove(sourcePath('a'));
    const { suspects, others } = await swept();
    assert.deepEqual([[...suspects], others, context.others.count], [['ns/a'], 60, 60]);
    assert.equal(context.guard.frozen, undefined);
    source.requests.length = 0;
    assert.deepEqual(await reconcile('other-0', 'repair'), { action: 'none' });
    assert.deepEqual(source.requests, []);
    assert.deepEqual(await reconcile('a', 'sweep'), { action: 'withdrawn', reason: 'SourceAbsent' });
    assert.ok(names.every((name) => hub.at(copyPath(name))));
  });

  it('does not believe at once that most of many sources are gone, and goes on publishing', async () => {
    const names = Array.from({ length: 60 }, (_, at) => `pod-${at}`);
    const { context, source, swept, reconcile, hub, seen } = await scene(...names);
    for (const name of names) source.remove(sourcePath(name));
    await swept();
    assert.equal(context.guard.frozen?.missing.size, 60);
    assert.deepEqual(await reconcile('pod-0', 'sweep'), { action: 'kept', reason: 'ShrinkFrozen' });
    seen('new');
    assert.equal((await reconcile('new')).action, 'created');
    assert.ok(names.every((name) => hub.at(copyPath(name))));
  });

  it('lets no approval reach a source that a live read has found back since', async () => {
    const names = Array.from({ length: 60 }, (_, at) => `pod-${at}`);
    const { context, source, swept, reconcile } = await scene(...names);
    for (const name of names) source.remove(sourcePath(name));
    await swept();
    context.guard.approve(new Set(names.map((name) => `ns/${name}`)));
    source.put(sourcePath('pod-0'), tenantSlice('pod-0'));
    await reconcile('pod-0', 'sweep');
    source.remove(sourcePath('pod-0'));
    await swept();
    assert.deepEqual(await reconcile('pod-0', 'sweep'), { action: 'kept', reason: 'ShrinkFrozen' });
    assert.equal((await reconcile('pod-1', 'sweep')).action, 'withdrawn');
  });

  const HOLDERS = [
    ['nothing', undefined],
    ['an object of another place, which names no cluster', { labels: { ours: 'yes', origin: 'elsewhere' } }],
  ] as const;
  for (const [what, holder] of HOLDERS) {
    it(`does not believe at once that every source of misplaced copies is gone, where ${what} stands under the right names`, async () => {
      const names = Array.from({ length: 60 }, (_, at) => `pod-${at}`);
      const { context, hub, swept, showCopies, reconcile } = await scene();
      for (const name of names) {
        const { metadata, ...body } = copyOf(tenantSlice(name));
        const stray = { ...body, metadata: { ...metadata, name: `old-${name}`, labels: { ...metadata.labels, origin: 'before' } } };
        hub.put(copyPath(name).replace('copy-', 'old-'), stray, 'fedhub-test');
        context.published.handler.present(hub.at(copyPath(name).replace('copy-', 'old-')) ?? stray);
        if (holder) hub.put(copyPath(name), { ...body, metadata: { name: metadata.name, namespace: 'ns', ...holder } });
      }
      if (holder) showCopies(...names);
      await swept();
      assert.equal(context.guard.frozen?.missing.size, 60);
      assert.deepEqual(await reconcile('pod-0', 'sweep'), { action: 'kept', reason: 'ShrinkFrozen' });
    });
  }

  it('does not believe an absence where the plane shows an older state than its watch has shown', async () => {
    const { context, source, swept, reconcile } = await scene('a', 'b');
    source.remove(sourcePath('a'));
    context.newestVersion = () => '1000000';
    await swept();
    assert.deepEqual(await reconcile('a', 'sweep'), { action: 'kept', reason: 'ShrinkFrozen' });
  });

  it('does not end the doubt of an older state that was shown after it began, and a later one that lacks nothing does', async () => {
    const { context, source, swept } = await scene('a', 'b');
    source.fault = whenAsked(SLICES, () => context.guard.distrust());
    assert.equal((await swept()).suspects.size, 0);
    assert.equal(context.guard.permits('ns/a'), false);
    source.fault = () => undefined;
    await swept();
    assert.equal(context.guard.permits('ns/a'), true);
  });

  it('ends the doubt of an older state that it has found itself, where it lacks nothing', async () => {
    const { context, swept } = await scene('a', 'b');
    context.newestVersion = () => '1000000';
    await swept();
    assert.deepEqual([context.guard.epoch, context.guard.permits('ns/a')], [1, true]);
  });

  it('counts as seen what an event or a look has shown since it began, though its pages are of a moment before', async () => {
    const { context, source, swept } = await scene('event', 'look', 'before');
    const { observed } = context;
    const before = observed.glance('ns/before');
    for (const name of ['event', 'look', 'before']) source.remove(sourcePath(name));
    source.fault = whenAsked(SLICES, () => {
      judge(context, tenantSlice('event'), { priority: 'live' });
      observed.note('ns/look', 'd', observed.glance('ns/look').round);
      observed.note('ns/before', 'd', before.round);
    });
    const { suspects, seen } = await swept();
    assert.deepEqual([[...suspects], [...seen].toSorted()], [['ns/before'], ['ns/event', 'ns/look']]);
  });

  it('does not make a source count as seen by a list that began after the sweep', async () => {
    const { context, source, swept } = await scene('a', 'b');
    source.fault = whenAsked(SLICES, () => context.observed.listStarted(false));
    await swept();
    context.guard.distrust();
    judge(context, tenantSlice('b'), { priority: 'repair' });
    concludeList(context, context.guard.epoch);
    assert.deepEqual([...(context.guard.frozen?.missing.keys() ?? [])], ['ns/a']);
    assert.deepEqual([context.observed.has('ns/a'), context.observed.has('ns/b')], [false, true]);
  });

  it('leaves what a list has shown that began meanwhile as seen by it', async () => {
    const { context, source, swept } = await scene('a');
    source.fault = whenAsked(SLICES, () => {
      context.observed.listStarted(false);
      judge(context, tenantSlice('a'), { priority: 'repair' });
    });
    await swept();
    assert.deepEqual(context.observed.listCompleted(), []);
  });
});
