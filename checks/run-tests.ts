import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { countRun, formatCounts, sumCounts } from '#checks/counts.ts';
import type { Counts } from '#checks/counts.ts';
import { findSuite } from '#checks/suites.ts';
import type { Suite } from '#checks/suites.ts';

/*
 * node checks/run-tests.ts [--counts FILE] [SUITE | SUITE+SUITE...]
 * Runs the named suites one after the other, those joined by a plus side by side, each in a process of its own, and prints
 * each failed test and `N passed, N failed` as its last lines; the last is also written to FILE. Exits 0 only when nothing failed
 * and every suite could be counted.
 */
const { values, positionals } = parseArgs({ options: { counts: { type: 'string' } }, allowPositionals: true });
const totals: Counts[] = [];
for (const group of positionals) {
  const [first, ...others] = group.split('+').map(namedSuite);
  if (first !== undefined)
    totals.push(...(await Promise.all([runSuite(first, 'shown'), ...others.map((other) => runSuite(other, 'kept'))])));
}
const total = sumCounts(totals);
const line = formatCounts(total);
if (total.pending > 0) console.log(`${total.pending} SKIPPED: see "pending" above for the reasons`);
// Once more, where nobody has to look for them: each suite has told its own far above.
for (const failure of total.failures) console.log(failure);
if (values.counts !== undefined) writeFileSync(values.counts, `${line}\n`);
console.log(line);
process.exitCode = total.failed > 0 ? 1 : 0;

function namedSuite(name: string): Suite {
  const suite = findSuite(name);
  if (suite === undefined) throw new Error(`There is no suite "${name}"`);
  return suite;
}

/** What a suite says is shown as it comes, or kept and shown when it has ended: two at once could not be read. */
async function runSuite(suite: Suite, output: 'shown' | 'kept'): Promise<Counts> {
  // A pattern that matches nothing any more must not look green.
  if (suite.files.length === 0) throw new Error(`Suite "${suite.name}" has no tests`);
  const title = `\n# ${suite.name}: ${suite.files.length} files`;
  if (output === 'shown') console.log(title);
  const folder = mkdtempSync(join(tmpdir(), 'fedhub-tests-'));
  try {
    const counts = join(folder, 'counts.json');
    const log = output === 'kept' ? join(folder, 'output.log') : undefined;
    const exitCode = await runMocha(suite, { counts, log });
    if (log !== undefined) console.log(`${title}\n${readFileSync(log, 'utf8')}`);
    return countRun(readIfThere(counts), exitCode);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The exit code of one mocha run; null when a signal ended it, ours after the deadline included. */
async function runMocha(suite: Suite, { counts, log }: { counts: string; log: string | undefined }): Promise<number | null> {
  const mocha = join('node_modules', 'mocha', 'bin', 'mocha.js');
  const options = ['--config', suite.config, '--reporter-option', `counts=${counts}`];
  const output = log === undefined ? 'inherit' : openSync(log, 'w');
  const child = spawn(process.execPath, [mocha, ...options, ...suite.files], { stdio: ['ignore', output, output] });
  const deadline = setTimeout(() => {
    console.error(`Suite ${suite.name} is not done after ${suite.deadlineMs} ms: it is ended`);
    child.kill('SIGTERM');
    setTimeout(() => child.kill('SIGKILL'), 15_000).unref();
  }, suite.deadlineMs);
  const [exitCode] = await once(child, 'exit');
  clearTimeout(deadline);
  return typeof exitCode === 'number' ? exitCode : null;
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined; // mocha ended before its last test: counted as a failure by countRun
  }
}
