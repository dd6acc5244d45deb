import { spawn } from 'node:child_process';
import { TerminalError } from '#kube/errors.ts';
import type { GoModule } from '#planes/go-module.ts';

/** How much of Go's own words goes into an error: the cause comes last. */
const LAST_LINES = 15;

/**
 * Runs `go` in a module's folder and returns what it printed.
 * @throws {TerminalError} `GoMissing` when there is no Go, `GoFailed` with Go's last lines otherwise.
 */
export async function runGo(
  module: GoModule,
  args: readonly string[],
  options: { signal?: AbortSignal | undefined } = {},
): Promise<string> {
  const child = spawn('go', args, {
    cwd: module.folder,
    env: { ...process.env, CGO_ENABLED: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
    signal: options.signal,
  });
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', (cause) => reject(startError(cause)));
    child.once('close', resolve);
  });
  if (code === 0) return out;
  const said = err.trimEnd().split('\n').slice(-LAST_LINES).join('\n');
  throw new TerminalError('GoFailed', `Cannot run "go ${args[0]}" for ${module.family}: exit ${code}\n${said}`);
}

/**
 * Makes sure that a Go is there which can build the module, possibly by fetching the release it asks for.
 * @throws {TerminalError} `GoMissing` or `GoTooOld`.
 */
export async function checkGo(module: GoModule, options: { signal?: AbortSignal | undefined } = {}): Promise<void> {
  try {
    await runGo(module, ['list', '-m'], options);
  } catch (error) {
    if (!(error instanceof TerminalError) || error.code !== 'GoFailed') throw error;
    throw new TerminalError('GoTooOld', `Go ${module.goVersion} is needed, or one from 1.21 on that may fetch it\n${error.message}`, error);
  }
}

function startError(cause: Error): Error {
  if (!('code' in cause) || cause.code !== 'ENOENT') return cause;
  return new TerminalError('GoMissing', 'There is no "go" on the PATH', cause);
}
