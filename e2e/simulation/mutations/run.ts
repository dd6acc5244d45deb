import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';

/** What became of a build that was broken on purpose. `said`: the failure that gave it away, or what happened instead. */
export type Verdict = { mutation: string; caught: boolean; said: string };

/** The names of all mutations: each file is `<invariant>-<what the broken build does>.patch`. */
export function mutationNames(): string[] {
  return globSync(join(import.meta.dirname, '*.patch'))
    .map((file) => basename(file, '.patch'))
    .sort();
}

/** The file of a mutation. */
export function patchOf(mutation: string): string {
  return join(import.meta.dirname, `${mutation}.patch`);
}

/** Breaks a copy of the tree, and looks whether the simulation notices within so many schedules. */
export function tryMutation(mutation: string, options: { schedules: number }): Verdict {
  const copy = copyTree();
  try {
    execFileSync('git', ['apply', patchOf(mutation)], { cwd: copy, stdio: 'pipe' });
    const simulate = ['e2e/simulation/main.ts', '--schedules', String(options.schedules), '--first-failure'];
    const { status, stdout, stderr } = spawnSync(process.execPath, simulate, { cwd: copy, encoding: 'utf8' });
    const said = stdout.split('\n').find((line) => line.includes('invariant')) ?? stderr.trim().slice(0, 300);
    return { mutation, caught: status === 1 && stdout.includes('invariant'), said: said.trim() };
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** The working tree as it is, without what git ignores; packages are shared. */
function copyTree(): string {
  const root = execFileSync('git', ['rev-parse', '--show-toplevel'], { encoding: 'utf8' }).trim();
  const copy = mkdtempSync(join(tmpdir(), 'fedhub-mutation-'));
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard', ...FOLDERS], { cwd: root });
  for (const path of listed.toString('utf8').split('\0').filter(Boolean)) {
    mkdirSync(join(copy, dirname(path)), { recursive: true });
    cpSync(join(root, path), join(copy, path));
  }
  symlinkSync(resolve(root, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

const FOLDERS = ['package.json', 'api', 'kube', 'mirror', 'writeback', 'e2e/simulation'];
