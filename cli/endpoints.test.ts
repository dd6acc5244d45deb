import assert from 'node:assert/strict';
import { Gauge, Registry } from '@prometheus-io/client';
import { startEndpoints } from '#cli/endpoints.ts';
import type { Endpoints } from '#cli/endpoints.ts';
import type { Standing } from '#cli/readiness.ts';
import { TerminalError } from '#kube/errors.ts';

const ANY_PORT = { host: '127.0.0.1', port: 0 };

describe('the endpoints', () => {
  const registry = new Registry();
  new Gauge({ name: 'fedhub_test', help: 'A gauge.', registers: [registry] }).set(3);
  let standing: Standing;
  let endpoints: Endpoints;

  beforeEach(async () => {
    standing = { hubObserved: false, waitingFor: ['the hub'], cells: [], projects: [] };
    endpoints = await startEndpoints({ address: ANY_PORT, registry, standing: () => standing });
  });
  afterEach(() => endpoints.close());

  const get = (path: string, method = 'GET') => fetch(`http://${endpoints.address}${path}`, { method, headers: { connection: 'close' } });

  it('are alive from the start, and ready once the hub is observed', async () => {
    assert.equal((await get('/healthz')).status, 200);
    const before = await get('/readyz');
    assert.deepEqual([before.status, await before.text()], [503, 'waiting for the hub\n']);
    standing = { ...standing, hubObserved: true };
    assert.equal((await get('/readyz')).status, 200);
  });

  it('show the standing as JSON', async () => {
    assert.deepEqual(await (await get('/status')).json(), standing);
  });

  it('show every metric of the registry', async () => {
    const answer = await get('/metrics');
    assert.equal(answer.headers.get('content-type'), registry.contentType);
    assert.match(await answer.text(), /^fedhub_test 3$/m);
  });

  it('change nothing and know no other path', async () => {
    assert.equal((await get('/healthz', 'POST')).status, 405);
    assert.equal((await get('/secrets')).status, 404);
    assert.equal((await get('/healthz?verbose')).status, 200);
  });

  it('answer 500, and go on, when something that they show fails', async () => {
    const broken = await startEndpoints({ address: ANY_PORT, registry, standing: () => assert.fail('broken') });
    assert.equal((await fetch(`http://${broken.address}/status`)).status, 500);
    assert.equal((await fetch(`http://${broken.address}/healthz`)).status, 200);
    await broken.close();
  });

  it('say so when their address is taken', async () => {
    const port = Number(endpoints.address.split(':')[1]);
    const second = startEndpoints({ address: { host: '127.0.0.1', port }, registry, standing: () => standing });
    await assert.rejects(second, (error) => error instanceof TerminalError && /127\.0\.0\.1:\d+: EADDRINUSE$/.test(error.message));
  });
});
