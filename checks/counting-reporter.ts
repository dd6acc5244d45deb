import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import Mocha from 'mocha';
import { failureLine } from '#checks/counts.ts';
import type { Counts } from '#checks/counts.ts';

/** Milliseconds that a finished run has to end by itself. Longer only delays the report of what was left open. */
const LEAVE_MS = 10_000;

/** A file is named at the end when it took at least this many milliseconds. */
const SLOW_MS = 5_000;

/**
 * Mocha's spec reporter that also writes its counts (`Counts`, `counts.ts`) as JSON to the file named by the reporter option `counts`.
 * A run that stays alive after its last test holds something open: that is counted as one failure, and the run is ended.
 */
class CountingReporter extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    tellSlowest(runner);
    const file: unknown = options.reporterOptions?.counts;
    runner.once('end', () => this.#report(typeof file === 'string' ? file : undefined));
  }

  #report(file: string | undefined) {
    const { passes: passed, failures: failed, pending } = this.stats;
    const failures = this.failures.map((test) => failureLine({ title: test.fullTitle(), file: fileOf(test), message: String(test.err) }));
    writeCounts(file, { passed, failed, pending, failures });
    setTimeout(() => {
      const late = `The run did not end ${LEAVE_MS} ms after its last test. Left open: ${process.getActiveResourcesInfo().join(', ')}`;
      console.error(late);
      writeCounts(file, { passed, failed: failed + 1, pending, failures: [...failures, `FAILED ${late}`] });
      process.exit(1);
    }, LEAVE_MS).unref();
    // Nothing is left to do then. Left to itself, Node 24 has been seen to spin for ever while it frees a socket that both ends had shut.
    process.once('beforeExit', () => process.exit());
  }
}

/** Prints at the end which files took longest, their hooks included: what to look at when the whole takes too long. */
function tellSlowest(runner: Mocha.Runner) {
  const took = new Map<string, number>();
  let startedMs = performance.now();
  runner.on('suite', ({ parent }) => {
    if (parent?.root) startedMs = performance.now();
  });
  runner.on('suite end', ({ parent, file = 'unknown' }) => {
    if (parent?.root) took.set(file, (took.get(file) ?? 0) + performance.now() - startedMs);
  });
  runner.once('end', () => {
    const slowest = [...took].filter(([, ms]) => ms >= SLOW_MS).toSorted(([, left], [, right]) => right - left);
    for (const [file, ms] of slowest) console.log(`  ${(ms / 1000).toFixed(0).padStart(4)} s  ${relative('.', file)}`);
  });
}

/** Where a failed test, or a hook that failed, is written down. */
function fileOf({ file }: Mocha.Runnable): string {
  return relative('.', file ?? 'unknown');
}

function writeCounts(file: string | undefined, counts: Counts) {
  if (file !== undefined) writeFileSync(file, JSON.stringify(counts));
}

// Mocha loads a reporter with require() and expects the class itself.
export { CountingReporter as 'module.exports' };
