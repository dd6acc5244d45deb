import assert from 'node:assert/strict';
import type { Identity } from '#mirror/cluster-identity.ts';
import { isBoundOtherwise } from '#writeback/binding.ts';

const BOUND: Identity = { kind: 'bound', uid: 'uid-1' };
const FENCED: Identity = { kind: 'unbound', reason: 'IdentityFenced' };

describe('a report says otherwise than what a name is bound to', () => {
  const says = (state: Identity | undefined, recorded: string | undefined, givesWay = false) =>
    isBoundOtherwise(state, recorded, { givesWay });

  it('where it names another cluster, and not where it names the same or does not yet name one', () => {
    assert.deepEqual([says(BOUND, 'uid-2'), says(BOUND, 'uid-1'), says(BOUND, undefined)], [true, false, false]);
  });

  it('where the record that fenced the name was removed, unless the name gives way to another', () => {
    assert.deepEqual([says(FENCED, undefined), says(FENCED, 'uid-2'), says(FENCED, undefined, true)], [true, false, false]);
  });

  it('never before the cluster was asked who it is', () => {
    assert.deepEqual([says(undefined, undefined), says(undefined, 'uid-1')], [false, false]);
  });
});
