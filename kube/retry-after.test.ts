import assert from 'node:assert/strict';
import { retryAfterMs } from '#kube/retry-after.ts';

const NOW = Date.parse('2030-01-01T00:00:00Z');

describe('Retry-After', () => {
  it('is read as seconds and as a date', () => {
    assert.equal(retryAfterMs('5', NOW), 5_000);
    assert.equal(retryAfterMs('Tue, 01 Jan 2030 00:00:30 GMT', NOW), 30_000);
  });

  it('is nothing when it is missing or unreadable, and no wait when it is past', () => {
    assert.equal(retryAfterMs(undefined, NOW), undefined);
    assert.equal(retryAfterMs('soon', NOW), undefined);
    assert.equal(retryAfterMs('Tue, 01 Jan 2019 00:00:00 GMT', NOW), 0);
  });

  it('is bounded', () => {
    assert.equal(retryAfterMs('86400', NOW), 120_000);
  });
});
