import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { eventually } from '#e2e/eventually.ts';

/*
 * The program as a process of its own, with no API server anywhere: it waits for what is missing with its health up, and refuses to
 * start for nothing but a wrong configuration.
 */
const CONFIG = `apiVersion: federation.datumapis.com/v1alpha1
kind: HubConfig
hub: {kubeconfig: hub.kubeconfig}
server: {address: '127.0.0.1:0'}
`;

describe('the program', () => {
  let folder: string;
  let file: string;
  const running: ChildProcess[] = [];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fedhub-cli-'));
    file = join(folder, 'hub.yaml');
  });
  afterEach(async () => {
    for (const child of running.splice(0)) child.kill('SIGKILL');
    await rm(folder, { recursive: true });
  });

  async function start(config: string): Promise<Program> {
    await writeFile(file, config);
    const program = new Program(['run', '--config', file]);
    running.push(program.child);
    return program;
  }

  it('refuses a wrong configuration with exit code 2 and every problem', async () => {
    const program = await start(`${CONFIG}cells:\n  - {name: A, kubeconfig: a}\n  - {name: b, sever: b}\nwait: 1\n`);
    assert.equal(await program.exitCode, 2);
    assert.deepEqual(program.lines, [
      `${file}:6:12 cells.0.name: must be a DNS label: lower-case letters, digits and inner dashes, at most 63 characters`,
      `${file}:7:5 cells.1.kubeconfig: is required`,
      `${file}:7:15 cells.1: Unrecognized key "sever"`,
      `${file}:8:1 Unrecognized key "wait"`,
    ]);
  });

  it('refuses a configuration that is not there with exit code 2', async () => {
    const program = new Program(['run', '--config', file]);
    assert.equal(await program.exitCode, 2);
    assert.deepEqual(program.lines, [`${file}:1:1 Cannot read the file: there is no such file`]);
  });

  it('waits for the kubeconfig of the hub with its health up, and stops in order', async () => {
    const program = await start(CONFIG);
    const address = await program.address();
    await program.line('Cannot use the kubeconfig, trying again');
    assert.equal((await fetch(`http://${address}/healthz`)).status, 200);
    const ready = await fetch(`http://${address}/readyz`);
    assert.deepEqual(
      [ready.status, await ready.text()],
      [503, `waiting for the kubeconfig ${join(folder, 'hub.kubeconfig')} to be usable\n`],
    );
    assert.match(await (await fetch(`http://${address}/metrics`)).text(), /^fedhub_config_changes_total\{result="refused"\} 0$/m);
    program.child.kill('SIGTERM');
    assert.equal(await program.exitCode, 0);
  });

  it('waits for a hub that answers nowhere, and stops in order', async () => {
    await writeFile(join(folder, 'hub.kubeconfig'), kubeconfig('https://127.0.0.1:1'));
    const program = await start(`${CONFIG}cells: [{name: a, kubeconfig: missing.kubeconfig}]\n`);
    const address = await program.address();
    await program.line('Cannot observe, trying again');
    assert.equal((await fetch(`http://${address}/readyz`)).status, 503);
    program.child.kill('SIGINT');
    assert.equal(await program.exitCode, 0);
  });

  it('takes up a changed configuration while it runs, and keeps the old one when the new one is wrong', async () => {
    const program = await start(CONFIG);
    await program.address();
    await writeFile(file, `${CONFIG}cells: [{name: a, kubeconfig: a, sever: b}]\n`);
    const refused = await program.line('New configuration refused: the one before stays in force');
    assert.match(JSON.stringify(refused), /:5:\d+ cells\.0: Unrecognized key/);
    await writeFile(file, `${CONFIG}cells: [{name: a, kubeconfig: a}]\n`);
    assert.equal((await program.line('Configuration changed: its cells and projects are in force')).count, 1);
  });

  it('takes up projects from a folder while it runs, and says with its name which file is bad', async () => {
    await writeFile(join(folder, 'hub.kubeconfig'), kubeconfig('https://127.0.0.1:1'));
    const program = await start(`${CONFIG}projectsFrom: {directory: projects}\n`);
    await program.lineWith({
      msg: 'Some projects cannot be taken up',
      reason: `Cannot read the folder "${join(folder, 'projects')}": ENOENT`,
    });
    const address = await program.address();
    await eventually('it is ready, as there is no plane', async () => (await fetch(`http://${address}/readyz`)).ok);
    await mkdir(join(folder, 'projects'));
    await writeFile(join(folder, 'projects', 'org_p.yaml'), kubeconfig('https://127.0.0.1:1'));
    await writeFile(join(folder, 'projects', 'org_q.yaml'), 'no kubeconfig');
    await program.lineWith({ msg: 'Cannot open the project', project: 'org/q' });
    await program.lineWith({ msg: 'Cannot bind the identity of the project', project: 'org/p' });
    const { projects } = JSON.parse(await (await fetch(`http://${address}/status`)).text());
    assert.deepEqual(projects.map(({ name }: { name: string }) => name).toSorted(), ['org/p', 'org/q']);
    assert.match(
      await (await fetch(`http://${address}/readyz`)).text(),
      /^waiting for namespaces on the hub \((Unreachable|NotListed)\)$/m,
    );
  });

  it('does only what its roles are', async () => {
    await writeFile(join(folder, 'hub.kubeconfig'), kubeconfig('https://127.0.0.1:1'));
    const program = await start(`${CONFIG}roles: [writeback]\nprojects: [{name: p, kubeconfig: p}]\n`);
    const address = await program.address();
    await program.lineWith({ msg: 'The projects in force', count: 1 });
    const { projects } = JSON.parse(await (await fetch(`http://${address}/status`)).text());
    assert.deepEqual(projects, []);
  });
});

/** A started program and what it writes to standard error. */
class Program {
  readonly child: ChildProcess;
  readonly lines: string[] = [];
  /** Resolves once the program has left and all of its lines were read. */
  readonly exitCode: Promise<unknown>;
  #seen: () => void = () => undefined;

  constructor(args: string[]) {
    this.child = spawn(process.execPath, ['cli/main.ts', ...args], { stdio: ['ignore', 'inherit', 'pipe'] });
    assert.ok(this.child.stderr);
    createInterface(this.child.stderr).on('line', (line) => {
      this.lines.push(line);
      this.#seen();
    });
    this.exitCode = once(this.child, 'close').then(([exitCode]) => {
      this.#seen();
      return exitCode;
    });
  }

  /** The first line with that message. Fails when the program leaves without it. */
  line(msg: string): Promise<Record<string, unknown>> {
    return this.lineWith({ msg });
  }

  /** The first line with all these fields. Fails when the program leaves without it. */
  async lineWith(fields: Record<string, unknown>): Promise<Record<string, unknown>> {
    for (;;) {
      const found = this.lines.map(parse).find((line) => Object.entries(fields).every(([key, value]) => line[key] === value));
      if (found !== undefined) return found;
      assert.equal(this.child.exitCode, null, `left without ${JSON.stringify(fields)}:\n${this.lines.join('\n')}`);
      await new Promise<void>((resolve) => {
        this.#seen = resolve;
      });
    }
  }

  async address(): Promise<string> {
    return String((await this.line('Serving health and metrics')).address);
  }
}

function parse(line: string): Record<string, unknown> {
  return line.startsWith('{') ? JSON.parse(line) : {};
}

function kubeconfig(server: string): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'one',
    clusters: [{ name: 'one', cluster: { server } }],
    users: [{ name: 'one', user: { token: 'none' } }],
    contexts: [{ name: 'one', context: { cluster: 'one', user: 'one' } }],
  });
}
