import assert from 'node:assert/strict';
import { countRun, failureLine, formatCounts, sumCounts } from '#checks/counts.ts';

const WRITTEN = JSON.stringify({ passed: 3, failed: 0, pending: 1, failures: [] });
const FAILED = failureLine({ title: 'a cell is read', file: 'kube/a.test.ts', message: 'too late\nafter a while' });

describe('the counts of a test run', () => {
  it('are what the reporter wrote', () => {
    assert.deepEqual(countRun(WRITTEN, 0), { passed: 3, failed: 0, pending: 1, failures: [] });
  });

  it('show a failure when mocha left no counts, whatever its exit code', () => {
    for (const exitCode of [0, 1, 7, null]) assert.equal(countRun(undefined, exitCode).failed, 1);
  });

  it('show a failure when the run failed without a failed test', () => {
    assert.equal(countRun(WRITTEN, 1).failed, 1);
    assert.equal(countRun(WRITTEN, null).failed, 1);
  });

  it('do not count a failed test twice', () => {
    assert.equal(countRun(JSON.stringify({ passed: 0, failed: 2, pending: 0, failures: [FAILED, FAILED] }), 2).failed, 2);
  });

  it('show a failure when what was written is not counts', () => {
    assert.equal(countRun('{}', 1).failed, 1);
  });

  it('name each failed test with its file and the first line of what went wrong, over all suites', () => {
    const failed = JSON.stringify({ passed: 0, failed: 1, pending: 0, failures: [FAILED] });
    const { failures } = sumCounts([countRun(failed, 1), countRun(undefined, null)]);
    assert.deepEqual(failures, [
      'FAILED a cell is read (kube/a.test.ts): too late',
      'FAILED a run without a failed test: it ended with a signal',
    ]);
  });

  it('add up over suites and end in the line that is asked for', () => {
    const total = sumCounts([countRun(WRITTEN, 0), countRun(undefined, 1), countRun(WRITTEN, 0)]);
    assert.equal(formatCounts(total), '6 passed, 1 failed');
  });
});
