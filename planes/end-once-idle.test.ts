import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

describe('a process that is to end once it is idle', () => {
  it('does what is left to do and nothing that comes up after that, and keeps its exit code', async () => {
    const script = `
      import { endOnceIdle } from '#planes/end-once-idle.ts';
      endOnceIdle();
      setTimeout(() => { console.log('done'); process.exitCode = 3; }, 1);
      process.once('beforeExit', () => setTimeout(() => console.log('more'), 1));
      process.once('exit', () => console.log('ended'));`;
    const ended = promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script]);
    await assert.rejects(ended, { code: 3, stdout: 'done\nended\n' });
  });
});
