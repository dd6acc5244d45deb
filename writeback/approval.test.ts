import assert from 'node:assert/strict';
import { ShrinkGuard } from '#mirror/shrink-guard.ts';
import { approveFrozen } from '#writeback/approval.ts';
import { frozenSetName } from '#writeback/frozen-record.ts';

/** A guard that has frozen two sources, and the name of that set. */
function frozen(): { guard: ShrinkGuard; name: string } {
  const guard = new ShrinkGuard();
  guard.distrust();
  guard.observe({ live: 1, copies: 3, absent: new Set(['ns/a', 'ns/b']) }, 0);
  return { guard, name: frozenSetName(guard.frozen ?? assert.fail()) };
}

describe('an approval of what is frozen', () => {
  it('releases the set that it names, once', () => {
    const { guard, name } = frozen();
    assert.equal(approveFrozen(guard, name), 2);
    assert.deepEqual([guard.permits('ns/a'), guard.permits('ns/b'), guard.permits('ns/c')], [true, true, false]);
    assert.equal(approveFrozen(guard, name), 0);
  });

  it('releases nothing where it names another set, or none', () => {
    const { guard, name } = frozen();
    guard.observe({ live: 1, copies: 3, absent: new Set(['ns/a']) }, 1);
    for (const approve of [name, 'another', undefined]) assert.equal(approveFrozen(guard, approve), 0);
    assert.equal(guard.permits('ns/a'), false);
  });

  it('releases nothing where nothing is frozen', () => {
    assert.equal(approveFrozen(new ShrinkGuard(), 'any'), 0);
  });
});
