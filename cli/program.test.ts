import assert from 'node:assert/strict';
import { ConfigError } from '#cli/errors.ts';
import { runProgram } from '#cli/program.ts';
import type { Surroundings } from '#cli/program.ts';
import { TerminalError } from '#kube/errors.ts';

async function call(args: string[], run: Surroundings['run'] = async () => assert.fail('nothing was to be run')) {
  const written = { out: '', err: '' };
  const out = (text: string) => void (written.out += text);
  const err = (text: string) => void (written.err += text);
  return { exitCode: await runProgram(args, { out, err, run }), ...written };
}

describe('the command line', () => {
  it('runs the service with the file that was named, and leaves with its exit code', async () => {
    const files: string[] = [];
    const { exitCode } = await call(['run', '--config', 'hub.yaml'], async (file) => files.push(file) + 2);
    assert.deepEqual([files, exitCode], [['hub.yaml'], 3]);
  });

  it('refuses what it does not know with exit code 2, and says how to go on', async () => {
    const wrong = [
      [],
      ['walk'],
      ['run'],
      ['run', '--config'],
      ['run', '--config', 'a', '--speed', '3'],
      ['run', '--config', 'a', 'b'],
      ['--no'],
    ];
    for (const args of wrong) {
      const { exitCode, out, err } = await call(args);
      assert.deepEqual([exitCode, out], [2, ''], args.join(' '));
      assert.match(err, /^error: .*\nfedhub --help/, args.join(' '));
    }
  });

  it('shows help on standard output with exit code 0', async () => {
    for (const args of [['--help'], ['run', '--help']]) {
      const { exitCode, out, err } = await call(args);
      assert.deepEqual([exitCode, err], [0, '']);
      assert.match(out, /^Usage: fedhub /);
    }
  });

  it('tells every problem of a configuration, one a line, with exit code 2', async () => {
    const at = { file: 'hub.yaml', line: 1, column: 2 };
    const error = new ConfigError('Invalid', [
      { ...at, path: 'a.0', message: 'is wrong' },
      { ...at, path: '', message: 'is odd' },
    ]);
    const { exitCode, err } = await call(['run', '--config', 'hub.yaml'], () => Promise.reject(error));
    assert.deepEqual([exitCode, err], [2, 'hub.yaml:1:2 a.0: is wrong\nhub.yaml:1:2 is odd\n']);
  });

  it('leaves with 1 when it cannot start for another reason, and hides no fault of its own', async () => {
    const taken = await call(['run', '--config', 'a'], () => Promise.reject(new TerminalError('CannotListen', 'Cannot listen')));
    assert.deepEqual([taken.exitCode, taken.err], [1, 'Cannot listen\n']);
    await assert.rejects(
      call(['run', '--config', 'a'], () => Promise.reject(new TypeError('broken'))),
      TypeError,
    );
  });
});
