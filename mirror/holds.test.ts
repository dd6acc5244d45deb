import assert from 'node:assert/strict';
import { Holds } from '#mirror/holds.ts';

const taken = { state: 'refused', reason: 'NameTaken' } as const;
const forbidden = { state: 'refused', reason: 'Forbidden' } as const;

describe('what is held', () => {
  it('is news when it begins and when its reason changes, and not while it lasts', () => {
    const holds = new Holds();
    assert.equal(holds.set('a', taken, 1), true);
    assert.equal(holds.set('a', taken, 2), false);
    assert.equal(holds.set('a', forbidden, 3), true);
  });

  it('is held since its reason began', () => {
    const holds = new Holds();
    holds.set('a', taken, 1);
    holds.set('a', taken, 9);
    assert.deepEqual(holds.list(10), [{ key: 'a', ...taken, sinceMs: 1 }]);
  });

  it('is counted by reason', () => {
    const holds = new Holds();
    for (const key of ['a', 'b']) holds.set(key, taken, 1);
    holds.set('c', forbidden, 1);
    assert.deepEqual(holds.counts(), { NameTaken: 2, Forbidden: 1 });
  });

  it('is told apart by how it is held, as it was last said', () => {
    const holds = new Holds();
    holds.set('a', { state: 'kept', reason: 'IdentityFenced' }, 1);
    holds.set('b', { state: 'kept', reason: 'IdentityFenced' }, 1);
    assert.equal(holds.set('b', { state: 'waiting', reason: 'IdentityFenced' }, 2), false);
    assert.deepEqual(holds.tally(), [
      { state: 'kept', reason: 'IdentityFenced', count: 1 },
      { state: 'waiting', reason: 'IdentityFenced', count: 1 },
    ]);
    assert.deepEqual(holds.list(2)[1], { key: 'b', state: 'waiting', reason: 'IdentityFenced', sinceMs: 1 });
  });

  it('is over when it is cleared, and says what it was', () => {
    const holds = new Holds();
    holds.set('a', taken, 1);
    assert.equal(holds.clear('a'), 'NameTaken');
    assert.equal(holds.clear('a'), undefined);
    assert.deepEqual(holds.counts(), {});
    assert.equal(holds.set('a', taken, 2), true);
  });

  it('is listed oldest first, up to a limit, one that changed its reason being young again', () => {
    const holds = new Holds();
    for (const [at, key] of ['a', 'b', 'c'].entries()) holds.set(key, taken, at);
    holds.set('a', forbidden, 3);
    assert.deepEqual(
      holds.list(2).map(({ key }) => key),
      ['b', 'c'],
    );
  });
});
