import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { startChild } from '#planes/child.ts';
import { formatIdentity, isAlive, ownIdentity, parseIdentity, startTimeOf } from '#planes/process-identity.ts';
import { waitUntil } from '#planes/wait.ts';

describe('the identity of a process', () => {
  it('holds while the process runs', () => {
    assert.ok(isAlive(ownIdentity()));
  });

  it('does not hold for a process with the same number and another start time', () => {
    assert.ok(!isAlive({ ...ownIdentity(), startTime: '1' }));
  });

  it('does not hold once the process has ended', async () => {
    const child = await startChild({
      plane: 'none',
      program: 'node',
      command: process.execPath,
      args: ['-e', 'setInterval(() => {}, 1000)'],
      logFile: '/dev/null',
    });
    const identity = { pid: child.pid, startTime: startTimeOf(child.pid) ?? '' };
    assert.ok(isAlive(identity));
    await child.kill();
    assert.ok(!isAlive(identity));
  });

  it('does not hold for one that has ended and that nobody has reaped', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'unreaped-'));
    // The shell becomes a program that knows nothing of the child it has inherited. That ends later, or the shell could still reap it.
    const script = 'sleep 0.5 & echo "$!"; exec sleep 1000';
    const parent = await startChild({ plane: 'none', program: 'sh', command: 'sh', args: ['-c', script], logFile: join(folder, 'log') });
    await waitUntil(() => /^\d+$/.test(parent.logTail()), { what: 'the number of the child' });
    const pid = Number(parent.logTail());
    await waitUntil(() => startTimeOf(pid) === undefined, { what: 'the child to count as gone' });
    assert.ok(existsSync(`/proc/${pid}`));
    await parent.kill();
    rmSync(folder, { recursive: true });
  });

  it('survives being written and read, whatever follows on the line', () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(), fc.string(), (pid, ticks, more) => {
        const identity = { pid, startTime: String(ticks) };
        assert.deepEqual(parseIdentity(`${formatIdentity(identity)} ${more}`), identity);
      }),
    );
  });

  it('is not read from a line that was cut off while it was written', () => {
    for (const line of ['', '12', '12 ', 'runner', ' 12 34', '12 3x']) assert.equal(parseIdentity(line), undefined, line);
  });
});
