import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startChild } from '#planes/child.ts';
import type { Child, Death } from '#planes/child.ts';
import { waitUntil } from '#planes/wait.ts';

describe('a watched process', () => {
  let folder: string;
  const deaths: Death[] = [];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'child-'));
    deaths.length = 0;
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  const start = (script: string) =>
    startChild({
      ...{ plane: 'hub', program: 'etcd', command: process.execPath, args: ['-e', script], logFile: join(folder, 'log') },
      onDeath: (death) => deaths.push(death),
    });
  const says = (child: Child, text: string) => waitUntil(() => child.logTail().includes(text), { what: text });

  it('that ends by itself is reported with its last lines', async () => {
    const child = await start('console.log("one"); console.error("two"); process.exitCode = 3');
    await child.exited;
    assert.deepEqual(deaths, [{ plane: 'hub', program: 'etcd', pid: child.pid, code: 3, signal: null, logTail: 'one\ntwo' }]);
    assert.ok(!child.running);
  });

  it('that is killed by somebody else is reported with the signal', async () => {
    const child = await start('setInterval(() => {}, 1000)');
    process.kill(child.pid, 'SIGKILL');
    await child.exited;
    assert.equal(deaths[0]?.signal, 'SIGKILL');
  });

  it('that we end is not reported', async () => {
    const [stopped, killed] = await Promise.all([start('setInterval(() => {}, 1000)'), start('setInterval(() => {}, 1000)')]);
    await Promise.all([stopped.stop(), killed.kill()]);
    assert.deepEqual(deaths, []);
  });

  it('ends in order although it is paused', async () => {
    const child = await start('process.on("SIGTERM", () => process.exit(0)); console.log("ready"); setInterval(() => {}, 1000)');
    await says(child, 'ready');
    child.pause();
    await child.stop();
    assert.deepEqual(await child.exited, { code: 0, signal: null });
  });

  it('is killed when it does not end in order', async () => {
    const child = await start('process.on("SIGTERM", () => {}); console.log("ready"); setInterval(() => {}, 1000)');
    await says(child, 'ready');
    await child.stop({ graceMs: 1 });
    assert.deepEqual(await child.exited, { code: null, signal: 'SIGKILL' });
  });

  it('that cannot be started says which program of which plane', async () => {
    const request = { plane: 'hub', program: 'etcd', command: join(folder, 'missing'), args: [], logFile: join(folder, 'log') };
    await assert.rejects(startChild(request), /Cannot start "etcd" of hub: .*ENOENT/);
  });
});
