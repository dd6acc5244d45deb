/** How many tests of a run passed, failed and were skipped; `failures` names those that failed, a line each. */
export type Counts = { passed: number; failed: number; pending: number; failures: string[] };

/** The counts of a suite without tests. */
export const NO_TESTS: Counts = { passed: 0, failed: 0, pending: 0, failures: [] };

/** The line that names a failed test: its full title, its file, and the first line of what went wrong. */
export function failureLine({ title, file, message }: { title: string; file: string; message: string }): string {
  return `FAILED ${title} (${file}): ${message.split('\n', 1)[0]}`;
}

/**
 * The counts of one mocha run, from what our reporter wrote (JSON) and the run's exit code (null: ended by a signal).
 * A run that left no counts, or that failed without a failed test, counts as one failure: nothing that broke may look green.
 */
export function countRun(written: string | undefined, exitCode: number | null): Counts {
  const counts = parseCounts(written) ?? NO_TESTS;
  const unexplained = counts.failed === 0 && (exitCode !== 0 || written === undefined);
  return unexplained
    ? { ...counts, failed: 1, failures: [`FAILED a run without a failed test: it ended with ${exitCode ?? 'a signal'}`] }
    : counts;
}

/** The sum of several runs. */
export function sumCounts(all: Counts[]): Counts {
  const add = (sum: Counts, one: Counts) => ({
    passed: sum.passed + one.passed,
    failed: sum.failed + one.failed,
    pending: sum.pending + one.pending,
    failures: [...sum.failures, ...one.failures],
  });
  return all.reduce(add, NO_TESTS);
}

/** `12 passed, 0 failed`: the line that ends a test run. */
export function formatCounts({ passed, failed }: Counts): string {
  return `${passed} passed, ${failed} failed`;
}

function parseCounts(written: string | undefined): Counts | undefined {
  if (written === undefined) return undefined;
  const { passed, failed, pending, failures }: Record<string, unknown> = JSON.parse(written);
  if (typeof passed !== 'number' || typeof failed !== 'number' || typeof pending !== 'number' || !Array.isArray(failures)) return undefined;
  return { passed, failed, pending, failures: failures.map(String) };
}
