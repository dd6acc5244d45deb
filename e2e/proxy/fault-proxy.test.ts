import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { RequestFault } from '#e2e/proxy/fault.ts';
import { startRig } from '#e2e/proxy/rig.ts';
import type { Rig } from '#e2e/proxy/rig.ts';

const LIST = { kind: 'EndpointSliceList', metadata: { resourceVersion: '7' }, items: [{ metadata: { name: 'a' } }] };
const WATCH = '/slices?watch=1';
const END = { type: 'BOOKMARK', object: { metadata: { annotations: { 'k8s.io/initial-events-end': 'true' } } } };

describe('the fault proxy', () => {
  let rig: Rig;
  before(async () => void (rig = await startRig((request, response) => void upstream(request, response))));
  afterEach(() => {
    rig.faults.clear();
    rig.proxy.heal();
  });
  after(() => rig.close());

  it('carries a request with its body and credentials, and the answer back', async () => {
    const { status, headers, body } = await rig.fetch('/echo?a=1', { method: 'PATCH', body: '{"x":null}' });
    assert.equal(status, 200);
    assert.equal(headers['content-type'], 'application/json');
    assert.deepEqual(JSON.parse(body), { method: 'PATCH', url: '/echo?a=1', token: 'Bearer of-the-client', body: '{"x":null}' });
  });

  it('carries every event of a watch as it was', async () => {
    assert.deepEqual(await typesSeen(), ['ADDED a', 'DELETED a', 'BOOKMARK']);
  });

  it('counts requests by what they ask for', async () => {
    const before = rig.proxy.requests.count({ path: /^\/slices$/ });
    await rig.fetch('/slices');
    await rig.fetch(WATCH);
    assert.equal(rig.proxy.requests.count({ path: /^\/slices$/ }) - before, 2);
    assert.ok(rig.proxy.requests.count({ path: /^\/slices$/, watch: true }) >= 1);
  });

  const statuses: [RequestFault, number][] = [
    [{ kind: 'status', status: 403 }, 403],
    [{ kind: 'status', status: 500 }, 500],
    [{ kind: 'not-served' }, 404],
    [{ kind: 'html' }, 200],
    [{ kind: 'malformed' }, 200],
  ];
  for (const [fault, status] of statuses) {
    it(`answers ${JSON.stringify(fault)} without asking the server`, async () => {
      rig.faults.request({}, fault);
      const answer = await rig.fetch('/slices');
      assert.equal(answer.status, status);
      assert.ok(!answer.body.includes('EndpointSliceList'));
    });
  }

  it('says with 429 when to come back', async () => {
    rig.faults.request({}, { kind: 'status', status: 429, retryAfterSeconds: 5 });
    assert.equal((await rig.fetch('/slices')).headers['retry-after'], '5');
  });

  it('empties a list and keeps the rest of it', async () => {
    rig.faults.request({}, { kind: 'empty-list' });
    assert.deepEqual(JSON.parse((await rig.fetch('/slices')).body), { ...LIST, items: [] });
  });

  it('ends a list after some of its objects, as if there were no more', async () => {
    rig.faults.request({}, { kind: 'lost-continue', objects: 1 });
    assert.deepEqual(JSON.parse((await rig.fetch('/paged?limit=5')).body), LIST);
  });

  it('shows a list as of an older version', async () => {
    rig.faults.request({}, { kind: 'older-list', versions: 3 });
    assert.deepEqual(JSON.parse((await rig.fetch('/slices')).body), { ...LIST, metadata: { resourceVersion: '4' } });
  });

  it('falsifies no answer that is not a list', async () => {
    rig.faults.request({}, { kind: 'empty-list' });
    assert.deepEqual(await rig.fetch('/refused').then(({ status, body }) => [status, body]), [403, '{"kind":"Status"}']);
  });

  it('leads from an empty first page to the whole list', async () => {
    rig.faults.request({}, { kind: 'empty-first-page' });
    const first = JSON.parse((await rig.fetch('/slices?limit=5')).body) as typeof LIST & { metadata: { continue: string } };
    assert.deepEqual(first.items, []);
    const second = await rig.fetch(`/slices?limit=5&continue=${first.metadata.continue}`);
    assert.deepEqual(JSON.parse(second.body), LIST);
  });

  it('breaks the connection in the middle of an answer', async () => {
    rig.faults.request({}, { kind: 'truncate', afterBytes: 10 });
    await assert.rejects(rig.fetch('/slices'), /aborted|reset/i);
  });

  it('resets one request', async () => {
    rig.faults.request({}, { kind: 'reset' }, { times: 1 });
    await assert.rejects(rig.fetch('/slices'), { code: 'ECONNRESET' });
    assert.equal((await rig.fetch('/slices')).status, 200);
  });

  it('looks broken where the server breaks off', async () => {
    await assert.rejects(rig.fetch('/torn'), /aborted|reset/i);
  });

  it('drops the events that are meant, and no other', async () => {
    rig.faults.event({ of: { watch: true }, type: 'DELETED', name: 'a' }, 'drop');
    assert.deepEqual(await typesSeen(), ['ADDED a', 'BOOKMARK']);
  });

  it('withholds the end of a streamed list', async () => {
    rig.faults.event({ endOfList: true }, 'drop');
    assert.deepEqual(await typesSeen(), ['ADDED a', 'DELETED a']);
  });

  it('puts an error into a watch', async () => {
    rig.faults.request({ watch: true }, { kind: 'error-event', code: 410 });
    const event = JSON.parse((await rig.fetch(WATCH)).body) as { type: string; object: { code: number; reason: string } };
    assert.deepEqual([event.type, event.object.code, event.object.reason], ['ERROR', 410, 'Expired']);
  });

  async function typesSeen(): Promise<string[]> {
    const lines = (await rig.fetch(WATCH)).body.split('\n').filter(Boolean);
    const events = lines.map((line) => JSON.parse(line) as { type: string; object: { metadata: { name?: string } } });
    return events.map(({ type, object }) => (object.metadata.name ? `${type} ${object.metadata.name}` : type));
  }
});

async function upstream(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method, url = '', headers } = request;
  if (url.startsWith('/torn')) return void response.writeHead(200, { 'content-length': 100 }).write('half', () => response.destroy());
  response.setHeader('content-type', 'application/json');
  if (url.startsWith('/echo')) {
    return void response.end(JSON.stringify({ method, url, token: headers.authorization, body: await text(request) }));
  }
  if (url.startsWith('/refused')) return void response.writeHead(403).end('{"kind":"Status"}');
  if (url.startsWith('/paged')) return void response.end(JSON.stringify(pageOf(new URL(url, 'http://server').searchParams)));
  if (!url.includes('watch=1')) return void response.end(JSON.stringify(LIST));
  const events = [event('ADDED'), event('DELETED'), END].map((sent) => `${JSON.stringify(sent)}\n`).join('');
  // In two pieces that end in the middle of a line: what arrives together was not written together.
  response.write(events.slice(0, 30), () => response.end(events.slice(30)));
}

/** As many objects as are asked for, and the way to those that are left of five. */
function pageOf(query: URLSearchParams): object {
  const limit = Number(query.get('limit'));
  const more = limit < 5 ? { continue: 'more', remainingItemCount: 5 - limit } : {};
  return { ...LIST, metadata: { ...LIST.metadata, ...more }, items: Array.from({ length: limit }, () => LIST.items[0]) };
}

function event(type: string): object {
  return { type, object: { metadata: { name: 'a' } } };
}
