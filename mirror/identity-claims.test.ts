import assert from 'node:assert/strict';
import { IdentityClaims } from '#mirror/identity-claims.ts';

describe('claims to a cluster', () => {
  it('go to the name that was first, however often another asks', () => {
    const claims = new IdentityClaims();
    assert.equal(claims.claim('uid', 'ams-1'), 'ams-1');
    assert.equal(claims.claim('uid', 'twin'), 'ams-1');
    assert.equal(claims.claim('uid', 'ams-1'), 'ams-1');
    assert.equal(claims.claim('other-uid', 'twin'), 'twin');
  });

  it('are free again once the name has given them up, and no others are', () => {
    const claims = new IdentityClaims();
    claims.claim('uid', 'ams-1');
    claims.claim('other-uid', 'fra-1');
    claims.release('ams-1');
    assert.equal(claims.claim('uid', 'twin'), 'twin');
    assert.equal(claims.claim('other-uid', 'twin'), 'fra-1');
  });
});
