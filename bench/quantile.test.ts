import assert from 'node:assert/strict';
import fc from 'fast-check';
import { quantile } from '#bench/quantile.ts';

describe('a quantile', () => {
  it('is the value of the nearest rank', () => {
    const values = Array.from({ length: 100 }, (_, index) => 100 - index);
    assert.deepEqual([quantile(values, 0.5), quantile(values, 0.99), quantile(values, 1)], [50, 99, 100]);
    assert.equal(quantile([7], 0.01), 7);
  });

  it('is one of the values, with at least that share of them not above it', () => {
    const shares = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(fc.array(fc.integer(), { minLength: 1 }), shares, (values, share) => {
        const found = quantile(values, share);
        assert.ok(values.includes(found));
        assert.ok(values.filter((value) => value <= found).length >= share * values.length - 1e-9);
      }),
    );
  });

  it('of nothing is an error', () => {
    assert.throws(() => quantile([], 0.5), /nothing/);
  });
});
