import { globSync } from 'node:fs';

/** One mocha run of its own: `config` is its mocha file, `deadlineMs` ends a run that hangs. */
export type Suite = { name: string; files: string[]; config: string; deadlineMs: number };

/** The names of the suites, in the order in which they run: cheap answers first. */
export const SUITE_NAMES = ['checks', 'unit', 'behaviour', 'federation'] as const;

/** The suite of that name with the test files that belong to it now, sorted; undefined for an unknown name. */
export function findSuite(name: string): Suite | undefined {
  if (name === 'checks') return { name, files: tests().filter(isCheck), config: '.mocharc.json', deadlineMs: 5 * MINUTE_MS };
  if (name === 'unit') return { name, files: tests().filter(isUnit), config: '.mocharc.json', deadlineMs: 5 * MINUTE_MS };
  // Both start real planes and mostly wait for them, so that they can run side by side.
  if (name === 'behaviour') return { name, files: tests().filter(isBehaviour), config: '.mocharc.e2e.json', deadlineMs: 30 * MINUTE_MS };
  if (name === 'federation') return { name, files: tests().filter(isFederation), config: '.mocharc.e2e.json', deadlineMs: 30 * MINUTE_MS };
  return undefined;
}

const MINUTE_MS = 60_000;

const isE2e = (file: string) => file.endsWith('.e2e.test.ts');
/** What went wrong for others, and what the replicator does: about as long as all the rest that starts planes. */
const isBehaviour = (file: string) => isE2e(file) && /^e2e\/(cases|replicator)\//.test(file);
/** The write-back, everything with Karmada, and the real API servers and planes themselves. */
const isFederation = (file: string) => isE2e(file) && !isBehaviour(file);
const isCheck = (file: string) => file.startsWith('checks/') && !isE2e(file);
const isUnit = (file: string) => !isCheck(file) && !isE2e(file);

function tests(): string[] {
  return globSync('*/**/*.test.ts', { exclude: ['node_modules/**', 'dist/**'] }).sort();
}
