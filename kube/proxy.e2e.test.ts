import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { ENDPOINT_SLICES, NAMESPACES } from '#api/resources.ts';
import { getObject } from '#kube/get.ts';
import { openClient } from '#kube/open-client.ts';
import { signal } from '#kube/testing/contract-server.ts';
import { kubeconfigText } from '#kube/testing/kubeconfig-text.ts';
import { recordingLog } from '#kube/testing/scripted-client.ts';
import { watchEvents } from '#kube/watch.ts';
import { startEnvironment } from '#planes/environment.ts';
import type { Environment } from '#planes/environment.ts';
import type { Plane } from '#planes/plane.ts';

// A kubeconfig's `proxy-url` and `tls-server-name` lead to the server by another way and under another name.
// The connection stays encrypted from end to end.
describe('the way to an API server', () => {
  let environment: Environment;
  let cell: Plane;

  before(async () => {
    environment = await startEnvironment();
    cell = await environment.startCell('cell-1');
  });
  after(() => environment.stop());

  const open = (cluster: Record<string, unknown>) => {
    const kubeconfig = join(cell.folder, 'test.kubeconfig');
    const common = { server: cell.url, 'certificate-authority-data': cell.files.caBundle };
    writeFileSync(kubeconfig, kubeconfigText({ cluster: { ...common, ...cluster }, user: { token: cell.files.adminToken } }));
    return openClient({ cluster: 'cell-1', kubeconfig, log: recordingLog() });
  };

  it('leads through a proxy, for requests and watches', async () => {
    const proxy = await startTunnel();
    const client = await open({ 'proxy-url': proxy.url });
    await getObject(client, { resource: NAMESPACES, name: 'default' }, { signal });
    const events = watchEvents(client, { resource: ENDPOINT_SLICES, initialEvents: true, signal });
    assert.equal((await events.next()).value?.type, 'BOOKMARK');
    await events.return();
    assert.deepEqual(new Set(proxy.targets), new Set([new URL(cell.url).host]));
    await client.transport.close();
    await proxy.stop();
  });

  it('asks for the certificate of the name that is given, and takes no other', async () => {
    const good = await open({ 'tls-server-name': 'localhost' });
    await getObject(good, { resource: NAMESPACES, name: 'default' }, { signal });
    await good.transport.close();
    const bad = await open({ 'tls-server-name': 'elsewhere' });
    await assert.rejects(getObject(bad, { resource: NAMESPACES, name: 'default' }, { signal }), {
      code: 'Untrusted',
      message: 'Cannot get Namespace "default" on cell-1: certificate is for another host',
    });
    await bad.transport.close();
  });

  it('trusts no server without the authority, unless told not to look', async () => {
    const blind = { 'certificate-authority-data': undefined };
    const wary = await open(blind);
    await assert.rejects(getObject(wary, { resource: NAMESPACES, name: 'default' }, { signal }), { code: 'Untrusted' });
    await wary.transport.close();
    const trusting = await open({ ...blind, 'insecure-skip-tls-verify': true });
    await getObject(trusting, { resource: NAMESPACES, name: 'default' }, { signal });
    await trusting.transport.close();
  });
});

/** A proxy that only tunnels, and remembers where to. */
async function startTunnel(): Promise<{ url: string; targets: string[]; stop(): Promise<void> }> {
  const targets: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer();
  server.on('connect', (request, socket: Socket) => {
    const { hostname, port } = new URL(`http://${request.url ?? ''}`);
    targets.push(`${hostname}:${port}`);
    const there = connect(Number(port), hostname, () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      there.pipe(socket).pipe(there);
    });
    for (const end of [socket, there]) end.on('error', () => {}).on('close', () => sockets.delete(end));
    sockets.add(socket).add(there);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  assert.ok(typeof address === 'object' && address !== null);
  return {
    url: `http://127.0.0.1:${address.port}`,
    targets,
    async stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
