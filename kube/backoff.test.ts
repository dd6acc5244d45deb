import assert from 'node:assert/strict';
import fc from 'fast-check';
import { backoffMs } from '#kube/backoff.ts';

const attempts = fc.nat({ max: 10_000 });
const unit = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

describe('a backoff', () => {
  it('is never below zero and never above its cap', () => {
    const bounds = fc.record({ baseMs: fc.integer({ min: 1, max: 60_000 }), capMs: fc.integer({ min: 1, max: 600_000 }) });
    fc.assert(
      fc.property(attempts, unit, bounds, (...[attempt, random, options]) => {
        const ms = backoffMs(attempt, () => random, options);
        assert.ok(ms >= 0 && ms <= options.capMs, String(ms));
      }),
    );
  });

  it('doubles its bound with each attempt until the cap', () => {
    const almost = (attempt: number) => Math.round(backoffMs(attempt, () => 1, { baseMs: 500, capMs: 20_000 }));
    assert.deepEqual([0, 1, 2, 5, 6, 1_000_000].map(almost), [500, 1_000, 2_000, 16_000, 20_000, 20_000]);
  });

  it('spreads over the whole range, so that clients do not come back in step', () => {
    assert.equal(
      backoffMs(3, () => 0, { baseMs: 500, capMs: 20_000 }),
      0,
    );
    assert.equal(
      backoffMs(3, () => 0.5, { baseMs: 500, capMs: 20_000 }),
      2_000,
    );
  });
});
