import assert from 'node:assert/strict';
import type { ApiRequest } from '#kube/transport.ts';
import { ApiError } from '#kube/errors.ts';
import { settle } from '#kube/testing/manual-clock.ts';
import { type Answer, broken, fails, hang, json, status, text } from '#kube/testing/scripted-transport.ts';
import { concludeList } from '#mirror/conclude.ts';
import { judgeAgain, judgeDeleted } from '#mirror/judge.ts';
import { DEFAULT_GUARD, ShrinkGuard } from '#mirror/shrink-guard.ts';
import { onceAsked, whenAsked } from '#mirror/testing/memory-server.ts';
import { copyOf, copyPath, IDENTITY_PATH, mirrorScene, sourcePath, tenantSlice } from '#mirror/testing/scene.ts';

const about = (name: string) => ({ details: { kind: 'endpointslices', name } });
const namespaceOf = (uid: string) => json({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'kube-system', uid } });

/** Every answer that is not "this very object does not exist", with the error that it must become. */
const NO_PROOF: [what: string, answer: Answer, code: string][] = [
  ['401', status(401, 'Unauthorized'), 'Unauthorized'],
  ['403', status(403, 'Forbidden', about('a')), 'Forbidden'],
  ['404 for the path', text('404 page not found\n', 404), 'NotServed'],
  ['404 without a name', status(404, 'NotFound'), 'NotServed'],
  ['404 about another name', status(404, 'NotFound', about('b')), 'NotServed'],
  ['404 about another kind', status(404, 'NotFound', { details: { kind: 'pods', name: 'a' } }), 'NotServed'],
  ['404 in HTML', text('<html>Not Found</html>', 404), 'NotServed'],
  ['410', status(410, 'Expired'), 'Expired'],
  ['429', status(429, 'TooManyRequests'), 'TooManyRequests'],
  ['500', status(500, 'InternalError'), 'ServerError'],
  ['503 in HTML', text('<html>Unavailable</html>', 503), 'ServerError'],
  ['302 to a sign-in page', text('', 302), 'Malformed'],
  ['200 in HTML', text('<html>Sign in</html>'), 'Malformed'],
  ['200 and nothing', text(''), 'Malformed'],
  ['200 and a success', json({ kind: 'Status', status: 'Success' }), 'Malformed'],
  ['200 and another object', json(tenantSlice('b')), 'Malformed'],
  ['200 and an empty list', json({ kind: 'EndpointSliceList', metadata: {}, items: [] }), 'Malformed'],
  ['an answer cut short', broken('{"kind":"EndpointSl', new ApiError('Unreachable', 'reset')), 'Malformed'],
  ['no connection', fails(new ApiError('Unreachable', 'refused')), 'Unreachable'],
];

/** One mirrored source whose deletion was seen, with the key now due. */
async function deletionSeen() {
  const scene = await mirrorScene();
  await scene.mirrored('a');
  scene.seenDeleted('a');
  return scene;
}

const onGet = (path: string, answer: Answer) => (request: ApiRequest) =>
  request.method === 'GET' && request.path === path ? answer(request) : undefined;

describe('withdrawing a copy', () => {
  it('happens when its source was seen to be deleted and a live read says that it is not there', async () => {
    const { context, hub, source, reconcile } = await deletionSeen();
    assert.deepEqual(await reconcile('a'), { action: 'withdrawn', reason: 'SourceAbsent' });
    assert.equal(hub.at(copyPath('a')), undefined);
    assert.deepEqual(
      source.requests.map(({ path }) => path),
      [IDENTITY_PATH, sourcePath('a'), IDENTITY_PATH],
    );
    assert.equal(context.observed.evidence('ns/a'), 'weak');
  });

  for (const [what, answer, code] of NO_PROOF) {
    it(`does not happen on ${what} instead of a live 404`, async () => {
      const { hub, source, reconcile } = await deletionSeen();
      source.fault = onGet(sourcePath('a'), answer);
      await assert.rejects(reconcile('a'), { name: 'ApiError', code });
      assert.deepEqual(hub.writes, []);
      assert.ok(hub.at(copyPath('a')));
    });
  }

  it('does not happen when the live read never ends', async () => {
    const { clock, hub, source, reconcile } = await deletionSeen();
    source.fault = (request) => hang(request);
    const rejected = assert.rejects(reconcile('a'), { code: 'Timeout' });
    await clock.advance(30_000);
    await rejected;
    assert.deepEqual(hub.writes, []);
  });

  it('does not happen before a list of the sources was complete', async () => {
    const { context, hub, reconcile } = await deletionSeen();
    context.observed.listStarted(true);
    assert.deepEqual(await reconcile('a'), { action: 'kept', reason: 'NotListed', report: false });
    assert.deepEqual(hub.writes, []);
  });

  for (const [what, answer, code] of NO_PROOF) {
    it(`does not happen on ${what} when the plane is asked who it is, before the source is looked at or after`, async () => {
      const fault = onGet(IDENTITY_PATH, answer);
      for (const each of [fault, onceAsked(sourcePath('a'), fault)]) {
        const { hub, source, reconcile } = await deletionSeen();
        source.fault = each;
        await assert.rejects(reconcile('a'), { code });
        assert.deepEqual(hub.writes, []);
      }
    });
  }

  it('does not happen on a plane that is another one than before', async () => {
    const { hub, source, reconcile } = await deletionSeen();
    source.fault = onceAsked(sourcePath('a'), onGet(IDENTITY_PATH, namespaceOf('other-uid')));
    await assert.rejects(reconcile('a'), { name: 'WaitingError', code: 'IdentityFenced' });
    assert.deepEqual(hub.writes, []);
  });

  it('does not happen where another plane was there before the source was looked at, though the right one is back after it', async () => {
    const { hub, source, reconcile } = await deletionSeen();
    let asked = 0;
    source.fault = (request) => {
      asked += request.path === IDENTITY_PATH ? 1 : 0;
      return asked === 1 && request.path === IDENTITY_PATH ? namespaceOf('other-uid')(request) : undefined;
    };
    await assert.rejects(reconcile('a'), { name: 'WaitingError', code: 'IdentityFenced' });
    assert.deepEqual(hub.writes, []);
  });

  it('asks the plane who it is before each look and after it, however lately it has said so', async () => {
    const scene = await mirrorScene();
    await scene.mirrored('a', 'b');
    for (const name of ['a', 'b']) {
      scene.seenDeleted(name);
      await scene.clock.advance(1);
      await scene.reconcile(name);
    }
    assert.equal(scene.source.requests.filter(({ path }) => path === IDENTITY_PATH).length, 4);
  });

  it('does not happen when the source is there after all', async () => {
    const { context, hub, source, reconcile } = await deletionSeen();
    source.put(sourcePath('a'), tenantSlice('a'));
    assert.equal((await reconcile('a')).action, 'none');
    assert.ok(context.observed.has('ns/a'));
    assert.ok(hub.at(copyPath('a')));
  });

  it('does not happen when the source was made again while its absence was read', async () => {
    const { hub, source, seen, reconcile } = await deletionSeen();
    source.fault = onceAsked(
      sourcePath('a'),
      whenAsked(IDENTITY_PATH, () => seen('a')),
    );
    assert.deepEqual(await reconcile('a'), { action: 'none', requeue: 'live' });
    assert.deepEqual(hub.writes, []);
    source.fault = () => undefined;
    assert.equal((await reconcile('a')).action, 'none');
    assert.ok(hub.at(copyPath('a')));
  });

  it('does not happen when an event tells of the source while the read that misses it is under way', async () => {
    const { context, hub, source, seen, reconcile } = await deletionSeen();
    source.fault = (request) => {
      if (request.path !== sourcePath('a')) return undefined;
      seen('a');
      return status(404, 'NotFound', about('a'))(request);
    };
    assert.equal((await reconcile('a')).action, 'none');
    assert.ok(context.observed.has('ns/a'));
    assert.deepEqual(hub.writes, []);
  });

  it('does not happen when an event tells of the source while the deletion waits because the hub asked for it', async () => {
    const { clock, hub, context, seen, reconcile } = await deletionSeen();
    hub.fault = whenAsked(copyPath('a'), () => context.hub.gate.holdFor(2_000));
    const outcome = reconcile('a');
    await settle();
    seen('a');
    await clock.advance(60_000);
    assert.deepEqual(await outcome, { action: 'none', requeue: 'live' });
    assert.deepEqual(hub.writes, []);
  });

  it('does not happen on a read that is more than a minute old when the hub lets the deletion go, but on another one', async () => {
    const { clock, hub, context, reconcile } = await deletionSeen();
    hub.fault = whenAsked(copyPath('a'), () => context.hub.gate.holdFor(61_000));
    const outcome = reconcile('a');
    await settle();
    await clock.advance(61_000);
    assert.deepEqual(await outcome, { action: 'none', requeue: 'live' });
    assert.deepEqual(hub.writes, []);
    hub.fault = () => undefined;
    assert.deepEqual(await reconcile('a'), { action: 'withdrawn', reason: 'SourceAbsent' });
  });

  it('does not wait for an event that came before the deletion to be believed', async () => {
    const scene = await mirrorScene();
    await scene.mirrored('a');
    scene.seen('a', tenantSlice('a', {}, { endpoints: [] }));
    scene.seenDeleted('a');
    assert.deepEqual(await scene.reconcile('a'), { action: 'withdrawn', reason: 'SourceAbsent' });
  });

  it('begins with no longer taking a source for there that a live read has missed', async () => {
    const scene = await mirrorScene();
    await scene.mirrored('a');
    scene.source.remove(sourcePath('a'));
    scene.context.observed.note('ns/a', undefined, 0);
    assert.deepEqual(await scene.reconcile('a'), { action: 'none', requeue: 'sweep' });
    assert.equal(scene.context.observed.has('ns/a'), false);
  });

  it('happens on weak evidence only in the lane that waits for every publication', async () => {
    const scene = await mirrorScene();
    await scene.mirrored('a');
    scene.source.remove(sourcePath('a'));
    scene.listSources();
    for (const priority of ['live', 'repair'] as const) {
      assert.deepEqual(await scene.reconcile('a', priority), { action: 'none', requeue: 'sweep' });
    }
    assert.deepEqual(scene.hub.writes, []);
    assert.deepEqual(await scene.reconcile('a', 'sweep'), { action: 'withdrawn', reason: 'SourceAbsent' });
  });

  it('does not happen at once for most of the sources that a list does not show, though they were judged anew while it came', async () => {
    const names = Array.from({ length: 60 }, (_, at) => `pod-${at}`);
    const { context, hub, source, mirrored, reconcile } = await mirrorScene();
    await mirrored(...names);
    for (const name of names) source.remove(sourcePath(name));
    context.observed.listStarted(false);
    judgeAgain(context, undefined);
    concludeList(context, context.guard.epoch);
    assert.equal(context.guard.frozen?.missing.size, 60);
    assert.deepEqual(await reconcile('pod-0', 'sweep'), { action: 'kept', reason: 'ShrinkFrozen' });
    assert.deepEqual(hub.writes, []);
  });

  it('does not happen at once for most of the sources that a list does not show, though events from before it were heeded while it came', async () => {
    const names = Array.from({ length: 60 }, (_, at) => `pod-${at}`);
    const { context, hub, source, mirrored, seen, reconcile } = await mirrorScene();
    await mirrored(...names);
    for (const name of names) seen(name, tenantSlice(name, {}, { endpoints: [] }));
    for (const name of names) source.remove(sourcePath(name));
    context.observed.listStarted(false);
    for (const name of names) assert.deepEqual(await reconcile(name), { action: 'updated' });
    concludeList(context, context.guard.epoch);
    assert.equal(context.guard.frozen?.missing.size, 60);
    assert.deepEqual(await reconcile('pod-0', 'sweep'), { action: 'kept', reason: 'ShrinkFrozen' });
    assert.ok(names.every((name) => hub.at(copyPath(name))));
  });

  it('does not happen at once for a source that a look has found which began before a list of an older state that lacks it', async () => {
    const { context, hub, source, mirrored, reconcile } = await mirrorScene();
    await mirrored('a');
    context.observed.forgetDigest('ns/a');
    source.fault = whenAsked(sourcePath('a'), () => {
      context.observed.listStarted(true);
      context.guard.distrust();
    });
    assert.equal((await reconcile('a')).action, 'none');
    source.remove(sourcePath('a'));
    concludeList(context, context.guard.epoch);
    assert.deepEqual([...(context.guard.frozen?.missing.keys() ?? [])], ['ns/a']);
    source.fault = () => undefined;
    assert.deepEqual(await reconcile('a', 'sweep'), { action: 'kept', reason: 'ShrinkFrozen' });
    assert.deepEqual(hub.writes, []);
  });

  it('does not wait where a look has found the source while the list came that does not show it', async () => {
    const { context, mirrored, reconcile } = await mirrorScene();
    await mirrored('a');
    context.observed.forgetDigest('ns/a');
    context.observed.listStarted(false);
    assert.equal((await reconcile('a')).action, 'none');
    concludeList(context, context.guard.epoch);
    assert.deepEqual([context.observed.has('ns/a'), context.queue.depth], [true, 0]);
  });

  it('does not happen on weak evidence where an older state was shown while a list came that lacks nothing', async () => {
    const { context, hub, source, mirrored, seen, reconcile } = await mirrorScene();
    await mirrored('a', 'b');
    const { epoch } = context.guard;
    context.observed.listStarted(false);
    for (const name of ['a', 'b']) seen(name);
    context.guard.distrust();
    concludeList(context, epoch);
    assert.equal(context.guard.frozen, undefined);
    source.remove(sourcePath('a'));
    context.observed.doubt('ns/a');
    assert.deepEqual(await reconcile('a', 'sweep'), { action: 'kept', reason: 'ShrinkFrozen' });
    assert.deepEqual(hub.writes, []);
  });

  it('does not happen on weak evidence where the plane shows an older state while it is asked who it is', async () => {
    const { context, hub, source, listSources, mirrored, reconcile } = await mirrorScene();
    await mirrored('a', 'b');
    source.remove(sourcePath('a'));
    listSources('b');
    source.fault = onceAsked(
      sourcePath('a'),
      whenAsked(IDENTITY_PATH, () => context.guard.distrust()),
    );
    assert.deepEqual(await reconcile('a', 'sweep'), { action: 'none', requeue: 'live' });
    assert.deepEqual(await reconcile('a', 'sweep'), { action: 'kept', reason: 'ShrinkFrozen' });
    assert.deepEqual(hub.writes, []);
  });

  it('happens where its deletion was seen, though the plane shows an older state while it is asked who it is', async () => {
    const { context, source, reconcile } = await deletionSeen();
    source.fault = whenAsked(IDENTITY_PATH, () => context.guard.distrust());
    assert.deepEqual(await reconcile('a'), { action: 'withdrawn', reason: 'SourceAbsent' });
  });

  it('does not happen on weak evidence after the plane has shown an older state, until a complete observation has heard of it', async () => {
    const { context, hub, source, listSources, mirrored, reconcile } = await mirrorScene();
    await mirrored('a', 'b');
    context.guard.distrust();
    source.remove(sourcePath('a'));
    context.observed.doubt('ns/a');
    assert.deepEqual(await reconcile('a', 'sweep'), { action: 'kept', reason: 'ShrinkFrozen' });
    assert.deepEqual(hub.writes, []);
    listSources('b');
    assert.deepEqual([...(context.guard.frozen?.missing.keys() ?? [])], ['ns/a']);
  });

  it('does not happen where what decides about the source has changed while the plane was asked who it is', async () => {
    const { context, hub, source, reconcile } = await deletionSeen();
    source.fault = onceAsked(
      sourcePath('a'),
      whenAsked(IDENTITY_PATH, () => (context.rules.decide = () => ({ kind: 'keep', reason: 'LocationUnread' }))),
    );
    assert.deepEqual(await reconcile('a'), { action: 'none', requeue: 'live' });
    assert.deepEqual(hub.writes, []);
    assert.deepEqual(await reconcile('a'), { action: 'kept', reason: 'LocationUnread', report: false });
  });

  it('does not happen for a deletion beyond a limit that is set, until that is approved', async () => {
    const scene = await mirrorScene();
    await scene.mirrored('a', 'b');
    scene.context.guard = new ShrinkGuard({ ...DEFAULT_GUARD, deletions: { count: 1, withinMs: 60_000 } });
    scene.seenDeleted('a');
    scene.seenDeleted('b');
    assert.equal((await scene.reconcile('a')).action, 'withdrawn');
    assert.deepEqual(await scene.reconcile('b'), { action: 'kept', reason: 'ShrinkFrozen' });
    assert.ok(scene.hub.at(copyPath('b')));
    scene.context.guard.approve(new Set(['ns/b']));
    assert.equal((await scene.reconcile('b', 'sweep')).action, 'withdrawn');
  });

  it('happens for a source that lost its tenant, once a live read confirms it', async () => {
    const scene = await mirrorScene();
    await scene.mirrored('a');
    scene.seen('a', tenantSlice('a', { labels: {} }));
    scene.source.put(sourcePath('a'), tenantSlice('a'));
    assert.notEqual((await scene.reconcile('a')).action, 'withdrawn');
    scene.seen('a', tenantSlice('a', { labels: {} }));
    assert.deepEqual(await scene.reconcile('a'), { action: 'withdrawn', reason: 'TenantGone' });
  });

  it('leaves no memory of a source that the selector no longer matches', async () => {
    const scene = await mirrorScene();
    await scene.mirrored('a');
    scene.source.put(sourcePath('a'), tenantSlice('a', { labels: {} }));
    judgeDeleted(scene.context, 'ns/a');
    assert.deepEqual(await scene.reconcile('a'), { action: 'withdrawn', reason: 'TenantGone' });
    assert.equal(scene.context.observed.has('ns/a'), false);
  });

  it('does not happen for a source that never was, under whose name the copy of another one stands', async () => {
    const scene = await mirrorScene();
    await scene.mirrored('a');
    scene.hub.put(copyPath('ghost'), {
      ...copyOf(tenantSlice('a')),
      metadata: { ...copyOf(tenantSlice('a')).metadata, name: 'copy-ghost' },
    });
    scene.showCopies('ghost');
    assert.deepEqual(await scene.reconcile('ghost', 'sweep'), { action: 'none' });
    assert.deepEqual(scene.hub.requests, []);
  });

  it('does not happen a second time, nor where there is no copy', async () => {
    const { hub, reconcile } = await deletionSeen();
    await reconcile('a');
    hub.requests.length = 0;
    await settle();
    assert.deepEqual(await reconcile('a'), { action: 'none' });
    assert.deepEqual(hub.requests, []);
  });
});
