import { globSync } from 'node:fs';

/** One mocha run of its own: `config` is its mocha file, `deadlineMs` ends a run that hangs. */
export type Suite = { name: string; files: string[]; config: string; deadlineMs: number };

/** The names of the suites, in the order in which they run: cheap answers first. The rest start planes and run side by side. */
export const SUITE_NAMES = ['checks', 'unit', 'cases', 'projects', 'federation', 'writeback'] as const;

/** The suite of that name with the test files that belong to it now, sorted; undefined for an unknown name. */
export function findSuite(name: string): Suite | undefined {
  if (!isSuiteName(name)) return undefined;
  const quick = name === 'checks' || name === 'unit';
  return {
    name,
    files: tests().filter((file) => suiteOf(file) === name),
    config: quick ? '.mocharc.json' : '.mocharc.e2e.json',
    deadlineMs: (quick ? 5 : 30) * MINUTE_MS,
  };
}

type SuiteName = (typeof SUITE_NAMES)[number];

const MINUTE_MS = 60_000;

/**
 * Where what starts planes belongs. Such tests mostly wait for planes, so several suites at once use a machine well; each has planes of its
 * own, and all take about as long: that alone decides what is where. What is named nowhere goes with the federations.
 */
const FOLDERS: readonly [path: RegExp, suite: SuiteName][] = [
  [/^(?:e2e\/replicator\/|policies\/|e2e\/cases\/40-)/, 'projects'],
  [/^e2e\/(?:writeback\/|simulation\/|torture\/|cases\/[34])/, 'writeback'],
  [/^e2e\/cases\//, 'cases'],
];

function suiteOf(file: string): SuiteName {
  if (file.endsWith('.e2e.test.ts')) return FOLDERS.find(([path]) => path.test(file))?.[1] ?? 'federation';
  return file.startsWith('checks/') ? 'checks' : 'unit';
}

function isSuiteName(name: string): name is SuiteName {
  return SUITE_NAMES.some((known) => known === name);
}

function tests(): string[] {
  return globSync('*/**/*.test.ts', { exclude: ['node_modules/**', 'dist/**'] }).sort();
}
