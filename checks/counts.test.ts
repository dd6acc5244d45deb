import assert from 'node:assert/strict';
import { countRun, formatCounts, sumCounts } from '#checks/counts.ts';

const WRITTEN = JSON.stringify({ passed: 3, failed: 0, pending: 1 });

describe('the counts of a test run', () => {
  it('are what the reporter wrote', () => {
    assert.deepEqual(countRun(WRITTEN, 0), { passed: 3, failed: 0, pending: 1 });
  });

  it('show a failure when mocha left no counts, whatever its exit code', () => {
    for (const exitCode of [0, 1, 7, null]) assert.equal(countRun(undefined, exitCode).failed, 1);
  });

  it('show a failure when the run failed without a failed test', () => {
    assert.equal(countRun(WRITTEN, 1).failed, 1);
    assert.equal(countRun(WRITTEN, null).failed, 1);
  });

  it('do not count a failed test twice', () => {
    assert.equal(countRun(JSON.stringify({ passed: 0, failed: 2, pending: 0 }), 2).failed, 2);
  });

  it('show a failure when what was written is not counts', () => {
    assert.equal(countRun('{}', 1).failed, 1);
  });

  it('add up over suites and end in the line that is asked for', () => {
    const total = sumCounts([countRun(WRITTEN, 0), countRun(undefined, 1), countRun(WRITTEN, 0)]);
    assert.equal(formatCounts(total), '6 passed, 1 failed');
  });
});
