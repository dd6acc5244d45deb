/** Planes start, hold, are reported when they die, and leave nothing behind. Needs the real programs; the first run builds them. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { createAdmin } from '#planes/admin.ts';
import { AuditTail } from '#planes/audit-tail.ts';
import { AuditedRequests } from '#planes/audited-requests.ts';
import { startEnvironment } from '#planes/environment.ts';
import type { Environment } from '#planes/environment.ts';
import type { Death } from '#planes/child.ts';
import { cleanLeftovers, runsFolder } from '#planes/leftovers.ts';
import type { Plane } from '#planes/plane.ts';
import { startTimeOf } from '#planes/process-identity.ts';
import { waitUntil } from '#planes/wait.ts';

const NAMESPACE = '/api/v1/namespaces/kept';

describe('a plane', () => {
  const deaths: Death[] = [];
  let environment: Environment;
  let cell: Plane;

  before(async () => {
    environment = await startEnvironment({ onExit: (death) => deaths.push(death) });
    cell = await environment.startCell('cell', { audit: true, namespaceController: true });
  });

  after(() => environment.stop());

  it('lets the admin in, and gives the service no right until one is bound to it', async () => {
    const { name, url, files } = cell;
    const statusWith = async (token: string) => {
      const user = createAdmin({ name, url, ca: files.authority.certificate, token });
      const status = await user.status('/api/v1/namespaces');
      await user.close();
      return status;
    };
    assert.deepEqual(await Promise.all([files.adminToken, cell.newServiceToken(), 'unknown'].map(statusWith)), [200, 403, 401]);
  });

  it('keeps its data and its address over a crash and over a restart', async () => {
    await cell.admin.apply(NAMESPACE, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'kept' } });
    await cell.kill('kube-apiserver');
    assert.equal(await cell.admin.status(NAMESPACE), 0);
    await cell.start();
    assert.equal(await cell.admin.status(NAMESPACE), 200);
    await cell.restart();
    assert.equal(await cell.admin.status(NAMESPACE), 200);
    assert.deepEqual(deaths, []);
  });

  it('lets a deleted namespace end where it was asked to', async () => {
    await cell.admin.apply('/api/v1/namespaces/brief', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'brief' } });
    await cell.admin.ask({ method: 'DELETE', path: '/api/v1/namespaces/brief' });
    await waitUntil(async () => (await cell.admin.status('/api/v1/namespaces/brief')) === 404, { what: 'the namespace to end' });
  });

  it('logs each request once, and a write also before it is carried out', async () => {
    await cell.admin.status('/api/v1/namespaces/asked-for-once');
    await cell.admin.apply('/api/v1/namespaces/written-once', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'written-once' } });
    const logged = new AuditTail(cell.auditLog).read();
    const of = (wanted: string) =>
      logged.filter(({ objectRef }) => objectRef?.name === wanted).map(({ verb, user, stage }) => `${user.username} ${verb} ${stage}`);
    assert.deepEqual(of('asked-for-once'), ['admin get ResponseComplete']);
    assert.deepEqual(of('written-once').slice(0, 1), ['admin patch RequestReceived']);
    const written = new AuditedRequests(cell.auditLog).read().filter(({ objectRef }) => objectRef?.name === 'written-once');
    assert.equal(written.filter(({ user }) => user.username === 'admin').length, 1);
  });

  it('that dies is reported with its last lines', async () => {
    process.kill(cell.programs.pid('etcd'), 'SIGKILL');
    await waitUntil(() => deaths.some(({ program }) => program === 'etcd'), { what: 'the death of etcd to be reported' });
    const death = deaths.find(({ program }) => program === 'etcd');
    assert.deepEqual([death?.plane, death?.signal], ['cell', 'SIGKILL']);
    assert.notEqual(death?.logTail, '');
  });

  it('that cannot start is reported to whoever starts it, with its last lines', async () => {
    const started = environment.startCell('broken', { flags: ['--no-such-flag'] });
    await assert.rejects(started, {
      code: 'ProgramDied',
      message: /kube-apiserver of broken ended with exit code 1.*unknown flag: --no-such-flag/s,
    });
  });
});

describe('an environment', () => {
  it('runs several planes at once, and its end leaves no process and no folder', async () => {
    const environment = await startEnvironment();
    const planes = await Promise.all([environment.startHub(), environment.startCell('cell')]);
    const pids = planes.flatMap(({ programs }) => programs.pids());
    assert.equal(pids.length, 5);
    planes[1]?.pause();
    await environment.stop();
    assert.deepEqual(
      pids.filter((pid) => startTimeOf(pid) !== undefined),
      [],
    );
    assert.ok(!existsSync(environment.folder));
  });

  it('stopped while a plane is starting ends that one too', async () => {
    const environment = await startEnvironment();
    const starting = assert.rejects(environment.startCell('cell'), { name: 'AbortError' });
    await waitUntil(() => existsSync(`${environment.folder}/cell/etcd.log`), { what: 'etcd to be started' });
    await environment.stop();
    await starting;
    assert.ok(!existsSync(environment.folder));
  });

  it('whose runner was killed is cleaned up by the next one', async () => {
    const { runner, pids, folder } = await runElsewhere();
    runner.kill('SIGKILL');
    await once(runner, 'exit');
    assert.deepEqual(
      pids.filter((pid) => startTimeOf(pid) === undefined),
      [],
    );
    await cleanLeftovers();
    assert.deepEqual(
      pids.filter((pid) => startTimeOf(pid) !== undefined),
      [],
    );
    assert.ok(!existsSync(folder));
  });

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    it(`whose runner gets ${signal} ends everything before the runner exits`, async () => {
      const { runner, pids, folder } = await runElsewhere();
      runner.kill(signal);
      await once(runner, 'exit');
      assert.deepEqual(
        pids.filter((pid) => startTimeOf(pid) !== undefined),
        [],
      );
      assert.ok(!existsSync(folder));
      assert.ok(!readdirSync(runsFolder()).some((name) => name.startsWith(`${runner.pid}-`)));
    });
  }
});

/** A cell in an environment of another process, which prints where it is and then waits. */
async function runElsewhere() {
  const script = `
    import { startEnvironment } from '#planes/environment.ts';
    const environment = await startEnvironment();
    const cell = await environment.startCell('cell');
    console.log(JSON.stringify({ pids: cell.programs.pids(), folder: environment.folder }));
    setInterval(() => {}, 1000);`;
  const runner = spawn(process.execPath, ['--input-type=module-typescript', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(runner.stdout.setEncoding('utf8'), 'data');
  const { pids, folder }: { pids: number[]; folder: string } = JSON.parse(String(line));
  return { runner, pids, folder };
}
