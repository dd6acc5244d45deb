import assert from 'node:assert/strict';
import fc from 'fast-check';
import { startChild } from '#planes/child.ts';
import { formatIdentity, isAlive, ownIdentity, parseIdentity, startTimeOf } from '#planes/process-identity.ts';

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
