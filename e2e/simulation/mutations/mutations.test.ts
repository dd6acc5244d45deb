import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mutationNames, patchOf } from '#e2e/simulation/mutations/run.ts';

describe('builds that are broken on purpose', () => {
  it('exist for every invariant', () => {
    const invariants = new Set(mutationNames().map((name) => name.slice(0, 1)));
    assert.deepEqual([...invariants].toSorted(), ['1', '2', '3', '4', '5', '6', '7']);
  });

  for (const mutation of mutationNames()) {
    it(`can still be made: ${mutation}`, () => {
      // Made anew by hand when the code around it has changed.
      assert.doesNotThrow(() => execFileSync('git', ['apply', '--check', patchOf(mutation)], { stdio: 'pipe' }));
    });
  }
});
