import assert from 'node:assert/strict';
import { Holds } from '#mirror/holds.ts';

describe('what is held', () => {
  it('is news when it begins and when its reason changes, and not while it lasts', () => {
    const holds = new Holds();
    assert.equal(holds.set('a', 'NameTaken', 1), true);
    assert.equal(holds.set('a', 'NameTaken', 2), false);
    assert.equal(holds.set('a', 'Forbidden', 3), true);
  });

  it('is held since its reason began', () => {
    const holds = new Holds();
    holds.set('a', 'NameTaken', 1);
    holds.set('a', 'NameTaken', 9);
    assert.deepEqual(holds.list(10), [{ key: 'a', reason: 'NameTaken', sinceMs: 1 }]);
  });

  it('is counted by reason', () => {
    const holds = new Holds();
    for (const key of ['a', 'b']) holds.set(key, 'NameTaken', 1);
    holds.set('c', 'Forbidden', 1);
    assert.deepEqual(holds.counts(), { NameTaken: 2, Forbidden: 1 });
  });

  it('is over when it is cleared, and says what it was', () => {
    const holds = new Holds();
    holds.set('a', 'NameTaken', 1);
    assert.equal(holds.clear('a'), 'NameTaken');
    assert.equal(holds.clear('a'), undefined);
    assert.deepEqual(holds.counts(), {});
    assert.equal(holds.set('a', 'NameTaken', 2), true);
  });

  it('is listed oldest first, up to a limit, one that changed its reason being young again', () => {
    const holds = new Holds();
    for (const [at, key] of ['a', 'b', 'c'].entries()) holds.set(key, 'NameTaken', at);
    holds.set('a', 'Forbidden', 3);
    assert.deepEqual(
      holds.list(2).map(({ key }) => key),
      ['b', 'c'],
    );
  });
});
