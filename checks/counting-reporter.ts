import { writeFileSync } from 'node:fs';
import Mocha from 'mocha';

/** Milliseconds that a finished run has to end by itself. Longer only delays the report of what was left open. */
const LEAVE_MS = 10_000;

/**
 * Mocha's spec reporter that also writes `{passed, failed, pending}` as JSON to the file named by the reporter option `counts`.
 * A run that stays alive after its last test holds something open: that is counted as one failure, and the run is ended.
 */
class CountingReporter extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    const file: unknown = options.reporterOptions?.counts;
    runner.once('end', () => this.#report(typeof file === 'string' ? file : undefined));
  }

  #report(file: string | undefined) {
    const { passes, failures, pending } = this.stats;
    writeCounts(file, { passed: passes, failed: failures, pending });
    setTimeout(() => {
      console.error(`The run did not end ${LEAVE_MS} ms after its last test. Left open: ${process.getActiveResourcesInfo().join(', ')}`);
      writeCounts(file, { passed: passes, failed: failures + 1, pending });
      process.exit(1);
    }, LEAVE_MS).unref();
  }
}

function writeCounts(file: string | undefined, counts: { passed: number; failed: number; pending: number }) {
  if (file !== undefined) writeFileSync(file, JSON.stringify(counts));
}

// Mocha loads a reporter with require() and expects the class itself.
export { CountingReporter as 'module.exports' };
