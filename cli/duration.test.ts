import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseDuration } from '#cli/duration.ts';

describe('a duration', () => {
  it('means its amount times its unit', () => {
    assert.equal(parseDuration('500ms'), 500);
    assert.equal(parseDuration('30s'), 30_000);
    assert.equal(parseDuration('10m'), 600_000);
    assert.equal(parseDuration('1h30m'), 5_400_000);
  });

  it('is refused without a unit, at zero, below zero, past the longest timer and with anything around it', () => {
    for (const text of ['', '10', 's', '0s', '-1s', '1.5s', '25d', '600h', '10 s', ' 10s', '10s\n', '1e3ms', '9999999999999999999h']) {
      assert.equal(parseDuration(text), undefined, JSON.stringify(text));
    }
  });

  it('says the same in every unit', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 500 }), (hours) => {
        const ms = parseDuration(`${hours}h`);
        assert.equal(parseDuration(`${hours * 60}m`), ms);
        assert.equal(parseDuration(`${hours * 3600}s`), ms);
        assert.equal(parseDuration(`${hours * 3_600_000}ms`), ms);
      }),
    );
  });

  it('is a whole number of milliseconds a timer can wait, or nothing', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^(\d{1,12}(ms|s|m|h)){1,3}$/)), (text) => {
        const ms = parseDuration(text);
        assert.ok(ms === undefined || (Number.isInteger(ms) && ms > 0 && ms < 2 ** 31));
      }),
    );
  });
});
