import assert from 'node:assert/strict';
import { ENDPOINT_SLICES } from '#api/resources.ts';
import { ApiError } from '#kube/errors.ts';
import { collect } from '#kube/testing/collect.ts';
import { scriptedClient } from '#kube/testing/scripted-client.ts';
import { hang, status, text } from '#kube/testing/scripted-transport.ts';
import { ScriptedWatch } from '#kube/testing/scripted-watch.ts';
import { settle } from '#kube/testing/manual-clock.ts';
import { watchEvents } from '#kube/watch.ts';

const signal = new AbortController().signal;
const options = { resource: ENDPOINT_SLICES, resourceVersion: '7', signal };
const slice = { metadata: { name: 'a', namespace: 'ns', resourceVersion: '8' } };

describe('a watch', () => {
  it('yields events and bookmarks, and ends when the server ends it', async () => {
    const watch = new ScriptedWatch();
    watch.send('ADDED', slice);
    watch.bookmark('9');
    watch.bookmark('10', { end: true });
    watch.end();
    assert.deepEqual(await collect(watchEvents(scriptedClient(watch.answer), options)), [
      { type: 'ADDED', object: slice },
      { type: 'BOOKMARK', resourceVersion: '9', initialEventsEnd: false },
      { type: 'BOOKMARK', resourceVersion: '10', initialEventsEnd: true },
    ]);
  });

  it('asks for bookmarks and an end of its own, and for the initial events only together with their match', async () => {
    const queries = [];
    for (const more of [{}, { initialEvents: true, resourceVersion: undefined }]) {
      const watch = new ScriptedWatch();
      watch.end();
      const client = scriptedClient(watch.answer);
      await collect(watchEvents(client, { ...options, ...more }));
      queries.push(client.transport.requests[0]?.query);
    }
    const common = { watch: '1', allowWatchBookmarks: 'true', timeoutSeconds: '450' };
    assert.deepEqual(queries, [
      { ...common, resourceVersion: '7' },
      { ...common, sendInitialEvents: 'true', resourceVersionMatch: 'NotOlderThan' },
    ]);
  });

  it('throws the error that comes within the stream, after the events before it', async () => {
    const errors = [
      [410, 'Expired'],
      [429, 'TooManyRequests'],
      [500, 'ServerError'],
    ] as const;
    for (const [code, expected] of errors) {
      const watch = new ScriptedWatch();
      watch.send('ADDED', slice);
      watch.send('ERROR', { kind: 'Status', status: 'Failure', code, reason: 'x' });
      const events = watchEvents(scriptedClient(watch.answer), options);
      assert.equal((await events.next()).value?.type, 'ADDED');
      await assert.rejects(events.next(), { code: expected });
    }
  });

  it('throws what the server says instead of a stream', async () => {
    const client = scriptedClient(status(410, 'Expired'));
    await assert.rejects(watchEvents(client, options).next(), {
      code: 'Expired',
      message: 'Cannot watch endpointslices on cell-1: version too old',
    });
  });

  it('throws at the first line that is no event', async () => {
    const lines = [
      '<html>\n',
      '7\n',
      '{"type":"ADDED"}\n',
      '{"type":"ADDED","object":{"metadata":{"name":"a"}}}\n',
      '{"type":"NEW","object":{}}\n',
      '{"type":"BOOKMARK","object":{}}\n',
      '{"typ',
    ];
    for (const line of lines) {
      await assert.rejects(watchEvents(scriptedClient(text(line)), options).next(), { code: 'Malformed' }, line);
    }
  });

  it('throws what cut it, with the collection named', async () => {
    const watch = new ScriptedWatch();
    const events = watchEvents(scriptedClient(watch.answer), { ...options, namespace: 'ns' });
    watch.cut(new ApiError('Unreachable', 'connection lost'));
    await assert.rejects(events.next(), { code: 'Unreachable', message: 'Cannot watch endpointslices in "ns" on cell-1: connection lost' });
  });

  it('keeps no place in the gate once it is open', async () => {
    const watches = Array.from({ length: 20 }, () => new ScriptedWatch());
    const client = scriptedClient(...watches.map(({ answer }) => answer));
    let open = 0;
    const opened = () => void (open += 1);
    for (let count = 0; count < watches.length; count += 1) void watchEvents(client, { ...options, opened }).next();
    await settle();
    assert.equal(open, 20);
    assert.equal(client.gate.pending, 0);
  });

  it('rejects with the reason of the caller who gives up, opening or open', async () => {
    const watch = new ScriptedWatch();
    for (const answer of [hang, watch.answer]) {
      const stop = new AbortController();
      const next = watchEvents(scriptedClient(answer), { ...options, signal: stop.signal }).next();
      await settle();
      stop.abort(new Error('shutting down'));
      await assert.rejects(next, { message: 'shutting down' });
    }
  });
});
