import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isOlder } from '#kube/resource-version.ts';

const versions = fc.bigInt({ min: 0n, max: 2n ** 64n });

describe('comparing resourceVersions', () => {
  it('agrees with the numbers, past the range of a double too', () => {
    fc.assert(fc.property(versions, versions, (one, other) => isOlder(String(one), String(other)) === one < other));
  });

  it('never calls anything older that is no number', () => {
    for (const odd of ['', 'abc', '-1', '1.5', '01', ' 1']) {
      assert.equal(isOlder(odd, '5'), false, odd);
      assert.equal(isOlder('5', odd), false, odd);
    }
  });
});
