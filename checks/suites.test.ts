import assert from 'node:assert/strict';
import { listFiles } from '#checks/source-files.ts';
import { findSuite, SUITE_NAMES } from '#checks/suites.ts';

describe('the suites', () => {
  it('together run every test file, and each once', () => {
    const run = SUITE_NAMES.flatMap((name) => findSuite(name)?.files ?? []);
    assert.deepEqual(run.toSorted(), listFiles('*.test.ts'));
  });

  it('keep what may start planes out of the quick half', () => {
    const quick = ['checks', 'unit'].flatMap((name) => findSuite(name)?.files ?? []);
    assert.deepEqual(
      quick.filter((file) => file.endsWith('.e2e.test.ts')),
      [],
    );
  });

  it('are known by name only', () => {
    assert.equal(findSuite('all'), undefined);
  });
});
