import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { Agent } from 'undici';
import { ENDPOINT_SLICES } from '#api/resources.ts';
import { applyObject } from '#kube/apply.ts';
import type { Client } from '#kube/client.ts';
import { type ApiError, NotSentError } from '#kube/errors.ts';
import { getObject } from '#kube/get.ts';
import { openClient } from '#kube/open-client.ts';
import { startHttpServer } from '#kube/testing/http-server.ts';
import type { HttpServer } from '#kube/testing/http-server.ts';
import { kubeconfigText } from '#kube/testing/kubeconfig-text.ts';
import { ManualClock } from '#kube/testing/manual-clock.ts';
import { recordingLog } from '#kube/testing/scripted-client.ts';
import { temporaryFolder } from '#kube/testing/temporary-folder.ts';
import type { TemporaryFolder } from '#kube/testing/temporary-folder.ts';
import { until } from '#kube/testing/until.ts';
import { UndiciTransport } from '#kube/undici-transport.ts';
import { watchEvents } from '#kube/watch.ts';

const signal = new AbortController().signal;
const ref = { resource: ENDPOINT_SLICES, namespace: 'ns', name: 'a' };
const slice = { apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', metadata: { name: 'a', namespace: 'ns' } };

const send = (response: ServerResponse, status: number, body: unknown) => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};

describe('the transport', () => {
  let server: HttpServer;
  let folder: TemporaryFolder;
  let client: Client;
  let clock: ManualClock;

  beforeEach(async () => {
    server = await startHttpServer();
    folder = temporaryFolder();
    folder.write('token', 'first');
    const kubeconfig = folder.write(
      'config',
      kubeconfigText({ cluster: { server: `${server.url}/prefix` }, user: { tokenFile: 'token' } }),
    );
    clock = new ManualClock();
    client = await openClient({ cluster: 'cell-1', kubeconfig, log: recordingLog(), clock, concurrency: 2 });
  });
  afterEach(async () => {
    await client.transport.close();
    await server.stop();
    folder.remove();
  });

  const get = () => getObject(client, ref, { signal });
  const tokens = () => server.requests.map(({ headers }) => headers.authorization);
  const opening = () => watchEvents(client, { resource: ENDPOINT_SLICES, signal }).next();

  it('asks below the path of the server, with the token', async () => {
    server.answer((_request, response) => send(response, 200, slice));
    assert.deepEqual(await get(), slice);
    assert.equal(server.requests[0]?.url, '/prefix/apis/discovery.k8s.io/v1/namespaces/ns/endpointslices/a');
    folder.write('token', 'second');
    await get();
    assert.deepEqual(tokens(), ['Bearer first', 'Bearer first']);
  });

  it('reads the token file again after a 401, and asks once more', async () => {
    server.answer((request, response) => send(response, request.headers.authorization === 'Bearer second' ? 200 : 401, slice));
    await assert.rejects(get(), { code: 'Unauthorized' });
    folder.write('token', 'second\n');
    await get();
    assert.deepEqual(tokens(), ['Bearer first', 'Bearer first', 'Bearer second']);
  });

  it('does the same for a watch', async () => {
    const bookmark = { type: 'BOOKMARK', object: { metadata: { resourceVersion: '7' } } };
    server.answer((request, response) => {
      if (request.headers.authorization === 'Bearer second') response.end(`${JSON.stringify(bookmark)}\n`);
      else send(response, 401, {});
    });
    folder.write('token', 'first');
    await assert.rejects(opening(), { code: 'Unauthorized' });
    folder.write('token', 'second');
    assert.equal((await opening()).value?.type, 'BOOKMARK');
  });

  it('keeps the last good token while the file is bad', async () => {
    server.answer((_request, response) => send(response, 200, slice));
    await get();
    for (const bad of ['', ' \n', 'two words']) {
      folder.write('token', bad);
      await clock.advance(5_000);
      await get();
    }
    folder.write('token', 'second');
    await clock.advance(5_000);
    await get();
    assert.deepEqual(tokens(), ['Bearer first', 'Bearer first', 'Bearer first', 'Bearer first', 'Bearer second']);
  });

  it('sends nothing while there has never been a good token, and says which file is bad', async () => {
    const file = folder.write('token', '\n');
    await assert.rejects(get(), {
      code: 'Unauthorized',
      message: `Cannot get EndpointSlice "ns/a" on cell-1: no credentials: Cannot read "${file}": it is empty`,
    });
    assert.deepEqual(server.requests, []);
  });

  it('goes to the server that a rewritten kubeconfig names, and stays where it is while the file is bad', async () => {
    server.answer((_request, response) => send(response, 200, slice));
    await get();
    const other = await startHttpServer();
    other.answer((_request, response) => send(response, 200, slice));
    folder.write('config', 'half a kubeco');
    await clock.advance(5_000);
    await get();
    folder.write('config', kubeconfigText({ cluster: { server: other.url } }));
    await clock.advance(5_000);
    await get();
    assert.deepEqual([server.requests.length, other.requests.length], [2, 1]);
    await other.stop();
  });

  it('asks a GET again when the server closed the connection that it was about to use, and no write', async () => {
    server.answer((_request, response) => send(response, 200, slice));
    await get();
    let drops = 0;
    server.answer((request, response) => {
      if (drops++ === 0) request.socket.destroy();
      else send(response, 200, slice);
    });
    await get();
    assert.equal(server.requests.length, 3);
    drops = 0;
    const applied = applyObject(client, slice, { resource: ENDPOINT_SLICES, fieldManager: 'test', force: true, signal });
    await assert.rejects(applied, { code: 'Unreachable', message: 'Cannot apply EndpointSlice "ns/a" on cell-1: connection lost' });
    assert.equal(server.requests.length, 4);
  });

  it('gives up on a server that is silent, before its answer and in the middle of it', async () => {
    const request = { method: 'GET', path: '/', signal, idleMs: 50 } as const;
    await assert.rejects(client.transport.send(request), { code: 'Timeout' });
    server.answer((_request, response) => void response.write('{'));
    const { body } = await client.transport.send(request);
    await assert.rejects(
      async () => {
        for await (const chunk of body) assert.equal(Buffer.from(chunk).toString(), '{');
      },
      { code: 'Timeout', message: 'silent for 50 ms' },
    );
  });

  it('takes new connections after one fell silent, instead of asking over the others of its kind', async () => {
    const waiting: ServerResponse[] = [];
    server.answer((_request, response) => void waiting.push(response));
    const both = [getObject(client, ref, { signal }), getObject(client, ref, { signal })];
    await until('two requests wait', () => waiting.length === 2);
    for (const response of waiting) send(response, 200, slice);
    await Promise.all(both);
    const before = new Set(server.requests.map(({ socket }) => socket));
    const late = assert.rejects(getObject(client, ref, { signal, deadlineMs: 1_000 }), { code: 'Timeout' });
    await until('a third waits', () => waiting.length === 3);
    await clock.advance(1_000);
    await late;
    waiting.length = 0;
    const again = [getObject(client, ref, { signal }), getObject(client, ref, { signal })];
    await until('two requests wait again', () => waiting.length === 2);
    for (const response of waiting) send(response, 200, slice);
    await Promise.all(again);
    assert.deepEqual(
      server.requests.slice(-2).map(({ socket }) => before.has(socket)),
      [false, false],
    );
  });

  it('takes an answer that breaks off for none', async () => {
    server.answer((_request, response) => {
      response.writeHead(200, { 'content-length': 1_000 });
      response.write(JSON.stringify(slice), () => response.destroy());
    });
    await assert.rejects(get(), { code: 'Malformed', message: 'Cannot get EndpointSlice "ns/a" on cell-1: answer cut short' });
  });

  it('lets requests through, however many watches there are', async () => {
    server.answer((request, response) => {
      if (request.url?.includes('watch=1')) response.writeHead(200).flushHeaders();
      else send(response, 200, slice);
    });
    const stop = new AbortController();
    const watches = Array.from({ length: 10 }, () => watchEvents(client, { resource: ENDPOINT_SLICES, signal: stop.signal }).next());
    await until('all watches are open', () => server.requests.length === 10);
    await get();
    stop.abort(new Error('enough'));
    for (const watch of watches) await assert.rejects(watch, { message: 'enough' });
  });

  it('keeps to what a server asks that has enough', async () => {
    server.answer((_request, response) => void response.writeHead(429, { 'retry-after': '5' }).end('{}'));
    const failures: ApiError[] = [];
    for (let count = 0; count < 20; count += 1) get().catch((error: ApiError) => void failures.push(error));
    await until('the first are refused', () => failures.length === 2);
    await clock.advance(4_999);
    assert.equal(server.requests.length, 2);
    await clock.advance(1);
    await until('one more is refused', () => failures.length === 3);
    await clock.advance(4_999);
    assert.equal(server.requests.length, 3);
  });

  it('takes the new connections when the old ones were let go just before it sent anything, for a write too', async () => {
    server.answer((_request, response) => send(response, 200, slice));
    const [old, next] = [new Agent(), new Agent()];
    const links = [old, next].map((agent) => ({ requests: agent, watches: agent, origin: server.url, pathPrefix: '', headers: {} }));
    await old.close();
    const link = async () => links.shift() ?? assert.fail('asked for more connections');
    const transport = new UndiciTransport({ link, renew: async () => false, distrust: () => {}, close: () => next.destroy() });
    const { status } = await transport.send({ method: 'PATCH', path: '/', body: '{}', signal, idleMs: 1_000 });
    assert.equal(status, 200);
    assert.equal(server.requests.length, 1);
    await transport.close();
  });

  it('asks whether a write is still wanted when its connection stands, and before it is sent again with other credentials', async () => {
    const write = (answers: boolean[]) =>
      client.transport.send({ method: 'DELETE', path: '/', signal, idleMs: 1_000, stillWanted: () => answers.shift() ?? false });
    server.answer((request, response) => send(response, request.headers.authorization === 'Bearer second' ? 200 : 401, {}));
    await assert.rejects(write([false]), NotSentError);
    assert.deepEqual(tokens(), []);
    folder.write('token', 'second');
    await assert.rejects(write([true, false]), NotSentError);
    assert.deepEqual(tokens(), ['Bearer first']);
    assert.equal((await write([true])).status, 200);
    const sockets = new Set(server.requests.map(({ socket }) => socket));
    assert.equal(sockets.size, 1);
  });

  it('says what is wrong with the connection', async () => {
    await server.stop();
    await assert.rejects(get(), { code: 'Unreachable', message: 'Cannot get EndpointSlice "ns/a" on cell-1: connection refused' });
    server = await startHttpServer();
  });

  it('sends nothing any more once it is closed', async () => {
    await client.transport.close();
    await assert.rejects(get(), { code: 'Unreachable', message: 'Cannot get EndpointSlice "ns/a" on cell-1: connection closed' });
    assert.deepEqual(server.requests, []);
  });
});
