import assert from 'node:assert/strict';
import { ApiError } from '#kube/errors.ts';
import { settle } from '#kube/testing/manual-clock.ts';
import { reflectorScene, sliceAt, sliceList } from '#kube/testing/reflector-scene.ts';
import { scriptedClient } from '#kube/testing/scripted-client.ts';
import { fails, json, status } from '#kube/testing/scripted-transport.ts';
import { ScriptedWatch } from '#kube/testing/scripted-watch.ts';

const lost = new ApiError('Unreachable', 'connection lost');

/** A stream that has listed `a`, at version 7 unless said otherwise. */
function listed(version = '7'): ScriptedWatch {
  const watch = new ScriptedWatch();
  watch.send('ADDED', sliceAt('a', '5'));
  watch.bookmark(version, { end: true });
  return watch;
}

const queries = (client: ReturnType<typeof scriptedClient>) => client.transport.requests.map(({ query }) => query);

describe('a reflector', () => {
  it('lists by stream and goes on watching on the same stream', async () => {
    const watch = listed();
    const client = scriptedClient(watch.answer);
    const { told, reflector } = reflectorScene(client);
    await settle();
    watch.send('MODIFIED', sliceAt('a', '8'));
    watch.send('DELETED', sliceAt('a', '9'));
    await settle();
    assert.deepEqual(told, ['list 1', '+a', 'complete', '+a', '-a']);
    assert.equal(client.transport.requests.length, 1);
    assert.deepEqual(
      { ...reflector.state, lastContactMs: 0 },
      { phase: 'watching', complete: true, lastContactMs: 0, error: undefined, epoch: 1 },
    );
  });

  it('resumes a cut watch at the last version it saw, without a list', async () => {
    const [first, second] = [listed(), new ScriptedWatch()];
    const client = scriptedClient(first.answer, json(sliceList('12', [])), second.answer);
    const { told } = reflectorScene(client);
    first.send('MODIFIED', sliceAt('a', '8'));
    first.bookmark('11');
    first.cut(lost);
    await client.clock.advance(500);
    second.send('ADDED', sliceAt('b', '13'));
    await settle();
    assert.deepEqual(told, ['list 1', '+a', 'complete', '+a', '! Unreachable', '+b']);
    assert.deepEqual(queries(client)[1], { limit: '1' });
    assert.equal(queries(client)[2]?.['resourceVersion'], '11');
    assert.equal(queries(client)[2]?.['labelSelector'], 'a=b');
  });

  it('resumes a watch that the server ended in its time, without a word', async () => {
    const [first, second] = [listed(), new ScriptedWatch()];
    const client = scriptedClient(first.answer, json(sliceList('12', [])), second.answer);
    const { told, log } = reflectorScene(client);
    await client.clock.advance(300_000);
    first.end();
    await settle();
    assert.equal(client.transport.requests.length, 3);
    assert.deepEqual(told, ['list 1', '+a', 'complete']);
    assert.deepEqual(log.lines, []);
  });

  it('takes a long silence for a dead stream and resumes, without a word', async () => {
    const [first, second] = [listed(), new ScriptedWatch()];
    const client = scriptedClient(first.answer, json(sliceList('12', [])), second.answer);
    const { told, log } = reflectorScene(client);
    await client.clock.advance(90_000);
    first.cut(new ApiError('Timeout', 'silent for 90000 ms'));
    await settle();
    assert.deepEqual(told, ['list 1', '+a', 'complete']);
    assert.deepEqual(log.lines, []);
    assert.equal(queries(client)[2]?.['resourceVersion'], '7');
  });

  it('lists again when the server has forgotten the version', async () => {
    const [first, second] = [listed(), listed('12')];
    const client = scriptedClient(first.answer, json(sliceList('12', [])), second.answer);
    const { told, reflector } = reflectorScene(client);
    await settle();
    first.send('ERROR', { kind: 'Status', code: 410, reason: 'Expired' });
    await client.clock.advance(500);
    assert.deepEqual(told, ['list 1', '+a', 'complete', 'list 1', '+a', 'complete']);
    assert.equal(reflector.state.epoch, 1);
  });

  it('lists again at its interval though the watch seems well, and so finds what no event said', async () => {
    const [first, second] = [listed(), new ScriptedWatch()];
    const client = scriptedClient(first.answer, json(sliceList('12', [])), second.answer);
    const { told, log, reflector } = reflectorScene(client, { relistMs: 600_000 });
    await client.clock.advance(599_999);
    first.bookmark('10');
    await settle();
    assert.equal(client.transport.requests.length, 1);
    await client.clock.advance(1);
    first.bookmark('11');
    await settle();
    second.send('ADDED', sliceAt('b', '3'));
    second.bookmark('12', { end: true });
    await settle();
    assert.deepEqual(told, ['list 1', '+a', 'complete', 'list 1', '+b', 'complete']);
    assert.deepEqual([reflector.state.phase, log.lines.length], ['watching', 0]);
  });

  it('goes on watching from where it was when a list that was due has failed', async () => {
    const [first, second] = [listed(), new ScriptedWatch()];
    const client = scriptedClient(first.answer, json(sliceList('12', [])), fails(lost), json(sliceList('12', [])), second.answer);
    const { told } = reflectorScene(client, { relistMs: 600_000 });
    await client.clock.advance(600_000);
    first.bookmark('11');
    await client.clock.advance(500);
    second.send('ADDED', sliceAt('b', '13'));
    await settle();
    assert.deepEqual(told, ['list 1', '+a', 'complete', 'list 1', '! Unreachable', '+b']);
    assert.equal(queries(client)[4]?.['resourceVersion'], '11');
  });

  it('begins a new epoch when the server shows an older state than before', async () => {
    const first = listed();
    const second = new ScriptedWatch();
    const client = scriptedClient(first.answer, json(sliceList('4', [])), second.answer);
    const { told, reflector } = reflectorScene(client);
    first.cut(lost);
    await client.clock.advance(500);
    assert.deepEqual(
      { ...reflector.state, error: 0, lastContactMs: 0 },
      { phase: 'listing', complete: false, lastContactMs: 0, error: 0, epoch: 2 },
    );
    second.bookmark('4', { end: true });
    await settle();
    assert.deepEqual(told, ['list 1', '+a', 'complete', '! Unreachable', 'list 2 back', 'complete']);
    assert.equal(reflector.state.complete, true);
  });

  it('begins a new epoch where the server shows an older state than an earlier reflector was shown', async () => {
    const client = scriptedClient(json(sliceList('7', [])), listed().answer);
    const { told } = reflectorScene(client, { newestVersion: '8' });
    await settle();
    assert.deepEqual(told, ['list 2 back', '+a', 'complete']);
    assert.deepEqual(queries(client)[0], { limit: '1' });
  });

  it('does not complete a list of an older state than the server had shown just before, and lists again in a new epoch', async () => {
    const [first, second, third] = [listed(), new ScriptedWatch(), new ScriptedWatch()];
    const client = scriptedClient(first.answer, json(sliceList('12', [])), second.answer, json(sliceList('4', [])), third.answer);
    const { told } = reflectorScene(client);
    first.send('ERROR', { kind: 'Status', code: 410, reason: 'Expired' });
    second.send('ADDED', sliceAt('b', '3'));
    second.bookmark('11', { end: true });
    third.bookmark('4', { end: true });
    await client.clock.advance(5_000);
    assert.deepEqual(told, ['list 1', '+a', 'complete', 'list 1', '+b', 'list 3 back', 'complete']);
  });

  it('begins a new epoch where the server shows an older state than in a list that never ended', async () => {
    const [first, second] = [new ScriptedWatch(), listed('5')];
    const client = scriptedClient(first.answer, json(sliceList('5', [])), second.answer);
    const { told } = reflectorScene(client);
    first.bookmark('6');
    first.cut(lost);
    await client.clock.advance(500);
    assert.deepEqual(told, ['list 1', '! Unreachable', 'list 2 back', '+a', 'complete']);
  });

  it('completes a list whatever the versions of the objects in it', async () => {
    const watch = new ScriptedWatch();
    watch.send('ADDED', sliceAt('a', '9'));
    watch.bookmark('7', { end: true });
    const { told } = reflectorScene(scriptedClient(watch.answer));
    await settle();
    assert.deepEqual(told, ['list 1', '+a', 'complete']);
  });

  it('says that the server went back until a whole list has been seen since', async () => {
    const [first, second, third] = [listed(), new ScriptedWatch(), new ScriptedWatch()];
    const client = scriptedClient(first.answer, json(sliceList('4', [])), second.answer, json(sliceList('4', [])), third.answer);
    const { told } = reflectorScene(client);
    first.cut(lost);
    second.cut(lost);
    third.bookmark('4', { end: true });
    await client.clock.advance(5_000);
    assert.deepEqual(told.slice(3), ['! Unreachable', 'list 2 back', '! Unreachable', 'list 2 back', 'complete']);
    client.transport.more(json(sliceList('9', [])), listed('9').answer);
    third.send('ERROR', { kind: 'Status', code: 410, reason: 'Expired' });
    await client.clock.advance(5_000);
    assert.deepEqual(told.slice(8), ['list 2', '+a', 'complete']);
  });

  it('never completes a list that broke', async () => {
    const [first, second] = [new ScriptedWatch(), listed()];
    const client = scriptedClient(first.answer, second.answer);
    const { told } = reflectorScene(client);
    first.send('ADDED', sliceAt('a', '5'));
    first.cut(lost);
    await client.clock.advance(500);
    assert.deepEqual(told, ['list 1', '+a', '! Unreachable', 'list 1', '+a', 'complete']);
  });

  it('draws no conclusion from a kind that is not served, and lists once it is', async () => {
    const first = listed();
    const client = scriptedClient(first.answer, status(404, '', {}), status(404, ''), json(sliceList('12', [])), listed('12').answer);
    const { told, reflector } = reflectorScene(client);
    first.cut(lost);
    await client.clock.advance(1_000);
    assert.deepEqual(told, ['list 1', '+a', 'complete', '! Unreachable', '! NotServed', '! NotServed']);
    assert.equal(reflector.state.phase, 'waiting');
    await client.clock.advance(20_000);
    assert.deepEqual(told.slice(6), ['list 1', '+a', 'complete']);
  });

  it('waits longer after each failure, and for what the server asked on top', async () => {
    const client = scriptedClient(fails(lost), fails(lost), fails(lost), status(503, 'Unavailable', { headers: { 'retry-after': '60' } }));
    const { reflector } = reflectorScene(client);
    const asked: number[] = [];
    for (const ms of [0, 249, 1, 499, 1, 999, 1, 61_999, 1]) {
      await client.clock.advance(ms);
      asked.push(client.transport.requests.length);
    }
    assert.deepEqual(asked, [1, 1, 2, 2, 3, 3, 4, 4, 5]);
    assert.equal(reflector.state.phase, 'listing');
  });

  it('starts its backoff anew after a watch that lasted', async () => {
    const watch = new ScriptedWatch();
    const client = scriptedClient(...Array.from({ length: 6 }, () => fails(lost)), watch.answer);
    const { reflector } = reflectorScene(client);
    await client.clock.advance(20_000);
    watch.bookmark('7', { end: true });
    await client.clock.advance(10_000);
    watch.cut(lost);
    await settle();
    assert.equal(reflector.state.phase, 'waiting');
    await client.clock.advance(250);
    assert.equal(client.transport.requests.length, 8);
  });

  it('says once that it fails, once that it fails otherwise, and once that it works', async () => {
    const client = scriptedClient(
      fails(lost),
      fails(lost),
      fails(lost),
      status(403, 'Forbidden'),
      status(403, 'Forbidden'),
      listed().answer,
    );
    const { log, reflector } = reflectorScene(client);
    await client.clock.advance(60_000);
    assert.deepEqual(
      log.lines.filter(({ level }) => level !== 'debug').map(({ level, reason }) => [level, reason]),
      [
        ['warn', 'Unreachable'],
        ['warn', 'Forbidden'],
        ['info', 'Forbidden'],
      ],
    );
    assert.equal(reflector.state.error, undefined);
  });

  it('survives a handler that throws, counts it, and completes the list', async () => {
    const client = scriptedClient(listed().answer);
    const { told, log, reflector } = reflectorScene(client, { faulty: true });
    await settle();
    assert.deepEqual(told, ['list 1', '+a', 'complete']);
    assert.equal(reflector.handlerFaults, 1);
    assert.equal(log.lines[0]?.level, 'error');
  });

  it('ends only when told to, whatever it is doing then', async () => {
    for (const ms of [0, 100]) {
      const client = ms === 0 ? scriptedClient() : scriptedClient(fails(lost));
      const { running, stop, told } = reflectorScene(client);
      await client.clock.advance(ms);
      const before = told.length;
      stop();
      await running;
      assert.equal(told.length, before);
    }
  });
});
