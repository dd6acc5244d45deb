import assert from 'node:assert/strict';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ENDPOINT_SLICES, NAMESPACES } from '#api/resources.ts';
import type { Client } from '#kube/client.ts';
import { getObject } from '#kube/get.ts';
import { openClient } from '#kube/open-client.ts';
import { makeNamespace, putSlice, signal, sliceNamed } from '#kube/testing/contract-server.ts';
import { ManualClock } from '#kube/testing/manual-clock.ts';
import { observeNames } from '#kube/testing/observed-names.ts';
import { recordingLog } from '#kube/testing/scripted-client.ts';
import { until } from '#kube/testing/until.ts';
import { startEnvironment } from '#planes/environment.ts';
import type { Environment } from '#planes/environment.ts';
import { writeKubeconfig } from '#planes/kubeconfig.ts';
import type { Credential } from '#planes/kubeconfig.ts';
import type { Plane } from '#planes/plane.ts';

const MASTERS = ['system:masters'];

// Tokens, certificates and kubeconfigs that change under a client at work.
// Nothing is restarted, and no request fails that a good credential was there for.
describe('changing credentials', () => {
  let environment: Environment;
  let cell: Plane;
  let folder: string;
  let clock: ManualClock;
  const open: Client[] = [];

  before(async () => {
    environment = await startEnvironment();
    cell = await environment.startCell('cell-1');
    folder = join(cell.folder, 'test');
    mkdirSync(folder);
    const subjects = [{ kind: 'User', name: 'fedhub', apiGroup: 'rbac.authorization.k8s.io' }];
    const roleRef = { kind: 'ClusterRole', name: 'cluster-admin', apiGroup: 'rbac.authorization.k8s.io' };
    const binding = {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: 'test' },
      subjects,
      roleRef,
    };
    await cell.admin.apply('/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/test', binding);
  });
  beforeEach(() => {
    clock = new ManualClock();
  });
  afterEach(async () => {
    for (const client of open.splice(0)) await client.transport.close();
  });
  after(() => environment.stop());

  /** A kubeconfig file that is replaced in one step, as a careful operator does. */
  const write = (credential: Credential) => {
    const content = { cluster: 'cell-1', url: cell.url, caBundle: cell.files.caBundle, user: 'me', credential };
    renameSync(writeKubeconfig(join(folder, 'new'), content), join(folder, 'config'));
  };
  const certificate = (commonName: string, organisations: readonly string[]) =>
    cell.files.authority.issue({ commonName, organisations, usage: 'client' });
  const start = async () => {
    const client = await openClient({ cluster: 'cell-1', kubeconfig: join(folder, 'config'), log: recordingLog(), clock });
    open.push(client);
    return client;
  };
  const ask = (client: Client) => getObject(client, { resource: NAMESPACES, name: 'default' }, { signal });

  it('a token that the server rejects is replaced with the first request after a new one is there', async () => {
    const tokenFile = join(folder, 'token');
    writeFileSync(tokenFile, 'unknown-to-the-server');
    write({ tokenFile });
    const client = await start();
    await assert.rejects(ask(client), { code: 'Unauthorized', status: 401 });
    writeFileSync(tokenFile, cell.newServiceToken());
    await ask(client);
  });

  it('a token is replaced under a running watch, which goes on', async () => {
    const tokenFile = join(folder, 'token');
    writeFileSync(tokenFile, cell.newServiceToken());
    write({ tokenFile });
    const client = await start();
    const namespace = await makeNamespace(client);
    const observed = observeNames(client, { resource: ENDPOINT_SLICES, namespace });
    await until('the list is complete', () => observed.completed === 1);
    writeFileSync(tokenFile, '');
    await clock.advance(5_000);
    await putSlice(client, sliceNamed(namespace, 'a'));
    writeFileSync(tokenFile, cell.newServiceToken());
    await clock.advance(5_000);
    await putSlice(client, sliceNamed(namespace, 'b'));
    await until('both slices are seen', () => observed.names.size === 2);
    assert.equal(observed.completed, 1);
    assert.deepEqual(observed.failures, []);
    await observed.stop();
  });

  it('a new client certificate is used for what comes next, while watches of the old one go on', async () => {
    write(certificate('one', MASTERS));
    const client = await start();
    const namespace = await makeNamespace(client);
    const observed = observeNames(client, { resource: ENDPOINT_SLICES, namespace });
    await until('the list is complete', () => observed.completed === 1);
    write(certificate('nobody', []));
    await clock.advance(5_000);
    await assert.rejects(ask(client), { code: 'Forbidden' });
    write(certificate('two', MASTERS));
    await clock.advance(5_000);
    await putSlice(client, sliceNamed(namespace, 'a'));
    await until('the slice is seen', () => observed.names.size === 1);
    assert.equal(observed.completed, 1);
    assert.deepEqual(observed.failures, []);
    await observed.stop();
  });

  it('a certificate with the key of another is never used', async () => {
    write(certificate('one', MASTERS));
    const client = await start();
    await ask(client);
    write({ certificate: certificate('two', MASTERS).certificate, key: certificate('three', MASTERS).key });
    await clock.advance(5_000);
    await ask(client);
  });

  it('a kubeconfig rewritten 50 times under load fails no request', async () => {
    write({ token: cell.newServiceToken() });
    const client = await start();
    const failures: unknown[] = [];
    let asked = 0;
    const stop = new AbortController();
    const load = Array.from({ length: 4 }, async () => {
      while (!stop.signal.aborted)
        await ask(client).then(
          () => (asked += 1),
          (error: unknown) => failures.push(error),
        );
    });
    for (let round = 0; round < 50; round += 1) {
      write(round % 2 === 0 ? certificate(`user-${round}`, MASTERS) : { token: cell.newServiceToken() });
      await clock.advance(5_000);
      const before = asked;
      await until('requests go on', () => asked > before + 4 || failures.length > 0);
    }
    stop.abort();
    await Promise.all(load);
    assert.deepEqual(failures, []);
  });
});
