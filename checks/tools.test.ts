import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** Milliseconds one tool may take on a busy machine with two cores. */
const TOOL_MS = 120_000;

describe('every file', function () {
  this.timeout(TOOL_MS);
  this.slow(TOOL_MS);

  it('is in the project’s format (make format rewrites it)', () => {
    run('biome', ['format', '--colors=off', '--max-diagnostics=20']);
  });

  it('passes the linter, with types', () => {
    run('oxlint', ['--type-aware', '--tsconfig', 'tsconfig.json', '--deny-warnings', '--format=unix']);
  });

  it('passes the compiler', () => {
    run('tsc', ['--pretty', 'false']);
  });
});

function run(tool: string, args: string[]) {
  const { status, signal, error, stdout, stderr } = spawnSync(join('node_modules', '.bin', tool), args, {
    encoding: 'utf8',
    timeout: TOOL_MS,
  });
  if (status === 0) return;
  throw new Error(`${tool} ${args.join(' ')}: exit ${status ?? signal ?? error?.message}\n${stdout}${stderr}`);
}
