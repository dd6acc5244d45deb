import assert from 'node:assert/strict';
import { settle } from '#kube/testing/manual-clock.ts';
import { reflectorScene, sliceAt, sliceList } from '#kube/testing/reflector-scene.ts';
import { scriptedClient } from '#kube/testing/scripted-client.ts';
import { json, status, text } from '#kube/testing/scripted-transport.ts';
import type { Answer } from '#kube/testing/scripted-transport.ts';
import { ScriptedWatch } from '#kube/testing/scripted-watch.ts';

const pages = [json(sliceList('7', ['a'], { continue: 'x' })), json(sliceList('7', [], { continue: 'y' })), json(sliceList('7', ['b']))];

const asked = (client: ReturnType<typeof scriptedClient>) =>
  client.transport.requests.map(({ query }) =>
    query?.['sendInitialEvents'] ? 'stream' : query?.['watch'] ? `watch ${query['resourceVersion']}` : 'page',
  );

describe('the list of a reflector', () => {
  it('comes in pages from a server that refuses the stream, whatever it says', async () => {
    const refusals: Answer[] = [status(422, 'Invalid'), status(400, 'BadRequest'), status(500, 'InternalError'), text('<html></html>')];
    for (const refusal of refusals) {
      const client = scriptedClient(refusal, ...pages, new ScriptedWatch().answer);
      const { told, log } = reflectorScene(client);
      await settle();
      assert.deepEqual(told, ['list 1', 'list 1', '+a', '+b', 'complete']);
      assert.deepEqual(asked(client), ['stream', 'page', 'page', 'page', 'watch 7']);
      assert.deepEqual(
        log.lines.filter(({ level }) => level !== 'debug'),
        [],
      );
    }
  });

  it('comes in pages when the bookmark at the end of the stream stays away', async () => {
    const stream = new ScriptedWatch();
    const client = scriptedClient(stream.answer, ...pages, new ScriptedWatch().answer);
    const { told } = reflectorScene(client, { initialListTimeoutMs: 10_000 });
    await client.clock.advance(9_000);
    stream.send('ADDED', sliceAt('a', '5'));
    await client.clock.advance(9_000);
    stream.bookmark('6');
    await client.clock.advance(999);
    assert.deepEqual(told, ['list 1', '+a']);
    await client.clock.advance(1);
    assert.deepEqual(told, ['list 1', '+a', 'list 1', '+a', '+b', 'complete']);
  });

  it('comes in pages in bounded time even while changes keep coming', async () => {
    const stream = new ScriptedWatch();
    const client = scriptedClient(stream.answer, ...pages, new ScriptedWatch().answer);
    const { told } = reflectorScene(client, { initialListTimeoutMs: 10_000 });
    for (let second = 0; second < 50; second += 1) {
      stream.send('MODIFIED', sliceAt('a', String(second)));
      await client.clock.advance(1_000);
    }
    assert.equal(told.at(-1), 'complete');
  });

  it('is not taken for whole when the stream ends before its bookmark', async () => {
    const stream = new ScriptedWatch();
    stream.send('ADDED', sliceAt('a', '5'));
    stream.end();
    const client = scriptedClient(stream.answer, ...pages, new ScriptedWatch().answer);
    const { told } = reflectorScene(client);
    await settle();
    assert.deepEqual(told, ['list 1', '+a', 'list 1', '+a', '+b', 'complete']);
  });

  it('is asked for in pages for a while after a refusal, then by stream again', async () => {
    const first = new ScriptedWatch();
    const second = new ScriptedWatch();
    const expired = { kind: 'Status', code: 410, reason: 'Expired' };
    const client = scriptedClient(
      status(422, 'Invalid'),
      ...pages,
      first.answer,
      json(sliceList('9', [])),
      json(sliceList('9', [])),
      second.answer,
    );
    client.transport.more(json(sliceList('9', [])), new ScriptedWatch().answer);
    reflectorScene(client);
    await settle();
    first.send('ERROR', expired);
    await client.clock.advance(500);
    assert.deepEqual(asked(client).slice(5), ['page', 'page', 'watch 9']);
    await client.clock.advance(600_000);
    second.send('ERROR', expired);
    await client.clock.advance(500);
    assert.deepEqual(asked(client).slice(8), ['page', 'stream']);
  });

  it('starts over when its continuation has expired', async () => {
    const client = scriptedClient(status(422, 'Invalid'), json(sliceList('7', ['a'], { continue: 'x' })), status(410, 'Expired'));
    client.transport.more(json(sliceList('7', [])), ...pages, new ScriptedWatch().answer);
    const { told } = reflectorScene(client);
    await client.clock.advance(500);
    assert.deepEqual(told, ['list 1', 'list 1', '+a', 'list 1', '+a', '+b', 'complete']);
  });

  it('begins a new epoch where one that broke had shown a newer state', async () => {
    const client = scriptedClient(status(422, 'Invalid'), json(sliceList('8', ['a'], { continue: 'x' })), status(500, 'InternalError'));
    client.transport.more(json(sliceList('7', [])), ...pages, new ScriptedWatch().answer);
    const { told } = reflectorScene(client);
    await client.clock.advance(500);
    assert.deepEqual(told.slice(-4), ['list 2 back', '+a', '+b', 'complete']);
  });

  it('that was restarted does not lose the watch to the timer of the stream', async () => {
    const stream = new ScriptedWatch();
    stream.bookmark('7', { end: true });
    const client = scriptedClient(stream.answer);
    const { reflector } = reflectorScene(client, { initialListTimeoutMs: 10_000 });
    await client.clock.advance(400_000);
    assert.equal(reflector.state.phase, 'watching');
    assert.equal(client.transport.requests.length, 1);
  });
});
