import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startChild } from '#planes/child.ts';
import type { Child } from '#planes/child.ts';
import { cleanLeftovers, createRunFolder, recordProcess } from '#planes/leftovers.ts';
import { formatIdentity, startTimeOf } from '#planes/process-identity.ts';

describe('what a killed run has left', () => {
  let root: string;
  let child: Child;

  beforeEach(async () => {
    root = mkdtempSync(join(tmpdir(), 'runs-'));
    child = await startChild({
      plane: 'none',
      program: 'node',
      command: process.execPath,
      args: ['-e', 'setInterval(() => {}, 1000)'],
      logFile: '/dev/null',
    });
  });

  afterEach(async () => {
    await child.kill();
    rmSync(root, { recursive: true });
  });

  /** A run whose runner had our number in an earlier life. */
  const leave = (name: string, processes: { pid: number; startTime: string }[]) => {
    const folder = join(root, name);
    mkdirSync(folder);
    const lines = [{ pid: process.pid, startTime: '1' }, ...processes].map((identity) => `${formatIdentity(identity)} x\n`);
    writeFileSync(join(folder, 'processes'), lines.join(''));
    return folder;
  };

  it('is ended and removed', async () => {
    const folder = leave('1-a', [{ pid: child.pid, startTime: startTimeOf(child.pid) ?? '' }]);
    assert.equal(await cleanLeftovers(root), 1);
    assert.equal((await child.exited).signal, 'SIGKILL');
    assert.ok(!existsSync(folder));
  });

  it('does not include a process that merely has the same number today', async () => {
    const folder = leave('1-a', [{ pid: child.pid, startTime: '1' }]);
    assert.equal(await cleanLeftovers(root), 0);
    assert.ok(child.running);
    assert.ok(!existsSync(folder));
  });

  it('is told apart from a run whose runner lives', async () => {
    const folder = createRunFolder(root);
    recordProcess(folder, { pid: child.pid, name: 'hub etcd' });
    assert.equal(await cleanLeftovers(root), 0);
    assert.ok(child.running && existsSync(folder));
  });

  it('is removed even when the run was killed before it wrote its record', async () => {
    const [dead, alive] = [join(root, '999999999-a'), join(root, `${process.pid}-b`)];
    mkdirSync(dead);
    mkdirSync(alive);
    await cleanLeftovers(root);
    assert.deepEqual([existsSync(dead), existsSync(alive)], [false, true]);
  });
});
