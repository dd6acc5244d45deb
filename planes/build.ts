import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { TerminalError } from '#kube/errors.ts';
import { estimateLeftMs, formatLength } from '#planes/build-progress.ts';
import type { Built } from '#planes/build-progress.ts';
import { withLock } from '#planes/file-lock.ts';
import { checkGo, runGo } from '#planes/go-command.ts';
import { readGoModule } from '#planes/go-module.ts';
import type { GoModule } from '#planes/go-module.ts';
import { PROGRAMS } from '#planes/programs.ts';
import type { Program } from '#planes/programs.ts';
import { stopOnSignals } from '#planes/signals.ts';

/** What to build and where to. */
export type BuildRequest = {
  /** The programs that are missing now; asked again once the lock is ours, since another run may have built them meanwhile. */
  find: () => Program[];
  fileOf: (program: Program) => string;
  cacheFolder: string;
  log: (line: string) => void;
  signal: AbortSignal | undefined;
};

/** How often a long build says that it is still at it. */
const PROGRESS_MS = 15_000;
const PARTIAL = '.partial';

/**
 * Builds what is missing, one program after another, each put in place by a rename.
 * Two runs at once build once: the second waits and finds everything there.
 * @throws {TerminalError} `NoBinary` with what the program is for and what else would help.
 */
export async function buildPrograms(request: BuildRequest): Promise<void> {
  const { cacheFolder, log } = request;
  const interrupted = new AbortController();
  const signal = AbortSignal.any([interrupted.signal, ...(request.signal === undefined ? [] : [request.signal])]);
  const onWait = (holder?: { pid: number }) => log(`Waiting for process ${holder?.pid ?? '?'}, which is building the same programs`);
  const abort = () => interrupted.abort();
  // Go would build on for minutes after we are gone.
  const forget = stopOnSignals({ stop: async () => abort(), killNow: abort, own: true });
  await withLock(join(cacheFolder, 'build.lock'), () => buildEach({ ...request, signal }), { signal, onWait }).finally(forget);
}

async function buildEach(request: BuildRequest): Promise<void> {
  const missing = request.find();
  const built: Built[] = [];
  for (const [index, program] of missing.entries()) {
    const left = missing.slice(index);
    const startedMs = performance.now();
    const estimate = () => {
      const spentMs = performance.now() - startedMs;
      return `${formatLength(estimateLeftMs({ left, built, spentMs }))} left`;
    };
    request.log(
      `Building ${program} ${readGoModule(PROGRAMS[program].family).version} (${index + 1} of ${missing.length}), about ${estimate()}`,
    );
    const reminder = setInterval(() => {
      request.log(`  still building ${program} after ${formatLength(performance.now() - startedMs)}, about ${estimate()}`);
    }, PROGRESS_MS);
    await buildProgram(program, request).finally(() => clearInterval(reminder));
    built.push({ program, ms: performance.now() - startedMs });
  }
  const tookMs = built.reduce((sum, { ms }) => sum + ms, 0);
  if (built.length > 0) request.log(`Built ${built.length} programs in ${formatLength(tookMs)}, kept in ${request.cacheFolder}`);
}

async function buildProgram(program: Program, { fileOf, signal }: BuildRequest): Promise<void> {
  const source = PROGRAMS[program];
  const module = readGoModule(source.family);
  const file = fileOf(program);
  const partial = `${file}.${process.pid}${PARTIAL}`;
  mkdirSync(dirname(file), { recursive: true });
  removePartials(file);
  try {
    await checkGo(module, { signal });
    await runGo(module, ['build', '-ldflags', linkerFlags(module), '-o', partial, source.package], { signal });
    renameSync(partial, file);
  } catch (error) {
    throw signal?.aborted ? error : noBinary(program, error);
  } finally {
    rmSync(partial, { force: true });
  }
}

/** What a killed build has left. The lock is ours, so nobody is writing one. */
function removePartials(file: string): void {
  for (const name of readdirSync(dirname(file))) {
    if (name.startsWith(`${basename(file)}.`) && name.endsWith(PARTIAL)) rmSync(join(dirname(file), name), { force: true });
  }
}

/** No symbols; and for Kubernetes the version, without which its server calls itself v0.0.0. */
function linkerFlags({ family, version }: GoModule): string {
  if (family !== 'kubernetes') return '-s -w';
  const [, major, minor] = /^v(\d+)\.(\d+)/.exec(version) ?? [];
  const values = { gitVersion: version, gitMajor: major, gitMinor: minor };
  return ['-s -w', ...Object.entries(values).map(([name, value]) => `-X k8s.io/component-base/version.${name}=${value}`)].join(' ');
}

function noBinary(program: Program, cause: unknown): TerminalError {
  const { purpose, family } = PROGRAMS[program];
  const { goVersion, version } = readGoModule(family);
  const why = cause instanceof Error ? cause.message : String(cause);
  const help = `Install Go ${goVersion} or newer, or set KUBEBUILDER_ASSETS to a folder that holds "${program}" (${family} ${version}).`;
  return new TerminalError('NoBinary', `Cannot build "${program}", which is ${purpose}: ${why}\n${help}`, cause);
}
