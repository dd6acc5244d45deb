import assert from 'node:assert/strict';
import { isLocationName } from '#mirror/location-name.ts';

describe('a location name', () => {
  it('is a DNS label of at most 63 characters', () => {
    for (const name of ['a', '1', 'ams-1', 'a--b', 'l'.repeat(63)]) assert.equal(isLocationName(name), true, name);
    for (const name of ['', '-a', 'a-', 'a.b', 'A', 'a_b', 'a/b', 'a\n', 'l'.repeat(64)]) assert.equal(isLocationName(name), false, name);
  });
});
