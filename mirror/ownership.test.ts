import assert from 'node:assert/strict';
import { judgeOccupant, mayDelete } from '#mirror/ownership.ts';
import type { CopyDescription } from '#mirror/published-index.ts';

const owner = { origin: 'ams-1', sourceCluster: 'cell-uid', source: 'ns/a' };
const ours: CopyDescription = { origin: 'ams-1', sourceCluster: 'cell-uid', source: 'ns/a', sourceRecorded: true, fixed: 'IPv6' };
const foreign: [string, CopyDescription | undefined][] = [
  ['that says nothing of itself', undefined],
  ['of another location', { ...ours, origin: 'fra-1' }],
  ['of another source', { ...ours, source: 'ns/b' }],
  ['from another cluster', { ...ours, sourceCluster: 'other-uid' }],
];

describe('what stands under the name of a copy', () => {
  it('is ours with every mark in place', () => {
    assert.equal(judgeOccupant(ours, owner), 'ours');
    assert.equal(mayDelete(ours, owner), true);
  });

  for (const [what, found] of foreign) {
    it(`is foreign when it is something ${what}, and may not be deleted`, () => {
      assert.equal(judgeOccupant(found, owner), 'foreign');
      assert.equal(mayDelete(found, owner), false);
    });
  }

  it('is ours too when it comes from a cluster that the plane was before an operator bound its name anew', () => {
    const rebound = { ...owner, formerClusters: new Set(['other-uid']) };
    assert.equal(judgeOccupant({ ...ours, sourceCluster: 'other-uid' }, rebound), 'ours');
    assert.equal(mayDelete({ ...ours, sourceCluster: 'other-uid' }, rebound), true);
    assert.equal(judgeOccupant({ ...ours, sourceCluster: 'third-uid' }, rebound), 'foreign');
  });

  it('may be put right, but not deleted, where the label of its origin was taken off and its cluster is right', () => {
    const torn = { ...ours, origin: undefined, sourceRecorded: false };
    assert.equal(judgeOccupant(torn, owner), 'ours');
    assert.equal(mayDelete(torn, owner), false);
    assert.equal(judgeOccupant({ ...torn, sourceCluster: undefined }, owner), 'foreign');
  });

  it('may be put right, but not deleted, where a mark of ours is missing', () => {
    for (const found of [
      { ...ours, sourceRecorded: false },
      { ...ours, sourceCluster: undefined },
    ]) {
      assert.equal(judgeOccupant(found, owner), 'ours');
      assert.equal(mayDelete(found, owner), false);
    }
  });
});
