import assert from 'node:assert/strict';
import fc from 'fast-check';
import { DEFAULT_GUARD, ShrinkGuard } from '#mirror/shrink-guard.ts';

const MINUTE = 60_000;

function keys(count: number, prefix = 'pod'): Set<string> {
  return new Set(Array.from({ length: count }, (_, index) => `ns/${prefix}-${index}`));
}

function frozenGuard(options: { confirmAfterMs?: number | undefined } = { confirmAfterMs: 30 * MINUTE }): ShrinkGuard {
  const guard = new ShrinkGuard({ believedAbsent: 50, confirmations: 3, confirmAfterMs: options.confirmAfterMs });
  guard.observe({ live: 10, copies: 100, absent: keys(90) }, 0);
  return guard;
}

/** A guard that follows ten deletions a minute and has seen so many at once. */
function burst(deletions: number): ShrinkGuard {
  const guard = new ShrinkGuard({ ...DEFAULT_GUARD, deletions: { count: 10, withinMs: MINUTE } });
  for (const key of keys(deletions)) guard.followsDeletion(key, 0);
  return guard;
}

describe('the shrink guard', () => {
  it('believes a loss of at most fifty, however large a share it is', () => {
    const guard = new ShrinkGuard();
    guard.observe({ live: 0, copies: 50, absent: keys(50) }, 0);
    assert.equal(guard.permits('ns/pod-0'), true);
  });

  it('believes the loss of half, however many that are', () => {
    const guard = new ShrinkGuard();
    guard.observe({ live: 500, copies: 1000, absent: keys(500) }, 0);
    assert.equal(guard.permits('ns/pod-0'), true);
  });

  it('freezes every weak withdrawal when more than fifty, and more than half, are missing', () => {
    const guard = frozenGuard();
    assert.equal(guard.permits('ns/pod-0'), false);
    assert.equal(guard.permits('ns/another'), false);
    assert.equal(guard.frozen?.missing.size, 90);
  });

  it('ends the freeze when the sources are back', () => {
    const guard = frozenGuard();
    guard.observe({ live: 95, copies: 100, absent: keys(5) }, MINUTE);
    assert.equal(guard.frozen, undefined);
    assert.equal(guard.permits('ns/pod-0'), true);
  });

  it('releases what was missing in three observations over thirty minutes, and not sooner', () => {
    const guard = frozenGuard();
    guard.observe({ live: 10, copies: 100, absent: keys(90) }, 10 * MINUTE);
    guard.observe({ live: 10, copies: 100, absent: keys(90) }, 29 * MINUTE);
    assert.equal(guard.permits('ns/pod-0'), false);
    guard.observe({ live: 10, copies: 100, absent: keys(90) }, 30 * MINUTE);
    assert.equal(guard.permits('ns/pod-0'), true);
  });

  it('does not release what only two observations have missed, however far apart', () => {
    const guard = frozenGuard();
    guard.observe({ live: 10, copies: 100, absent: keys(90) }, 1000 * MINUTE);
    assert.equal(guard.permits('ns/pod-0'), false);
  });

  it('counts each source by itself: one that goes missing later waits longer', () => {
    const guard = frozenGuard();
    const later = new Set([...keys(90), 'ns/late']);
    for (const minutes of [10, 20, 30]) guard.observe({ live: 9, copies: 100, absent: later }, minutes * MINUTE);
    assert.equal(guard.permits('ns/pod-0'), true);
    assert.equal(guard.permits('ns/late'), false);
  });

  it('starts anew with a source that came back in between', () => {
    const guard = frozenGuard();
    const without = keys(90);
    without.delete('ns/pod-0');
    guard.observe({ live: 11, copies: 100, absent: without }, 10 * MINUTE);
    for (const minutes of [20, 30]) guard.observe({ live: 10, copies: 100, absent: keys(90) }, minutes * MINUTE);
    assert.equal(guard.permits('ns/pod-1'), true);
    assert.equal(guard.permits('ns/pod-0'), false);
  });

  it('is never released by time where that is switched off, nor while it is pinned', () => {
    const never = frozenGuard({ confirmAfterMs: undefined });
    const pinned = frozenGuard();
    pinned.pin(true);
    for (const minutes of [30, 60, 90]) {
      for (const guard of [never, pinned]) guard.observe({ live: 10, copies: 100, absent: keys(90) }, minutes * MINUTE);
    }
    assert.equal(never.permits('ns/pod-0'), false);
    assert.equal(pinned.permits('ns/pod-0'), false);
  });

  it('is released by approval of exactly the set on record', () => {
    const guard = frozenGuard();
    assert.equal(guard.approve(keys(89)), false);
    assert.equal(guard.approve(keys(91)), false);
    assert.equal(guard.permits('ns/pod-0'), false);
    assert.equal(guard.approve(keys(90)), true);
    assert.equal(guard.permits('ns/pod-0'), true);
  });

  it('doubts a single absence when the plane went back to an older state, until it is confirmed', () => {
    const guard = new ShrinkGuard();
    guard.distrust();
    for (const minutes of [0, 15, 29]) guard.observe({ live: 99, copies: 100, absent: keys(1) }, minutes * MINUTE);
    assert.equal(guard.permits('ns/pod-0'), false);
    guard.observe({ live: 99, copies: 100, absent: keys(1) }, 30 * MINUTE);
    assert.equal(guard.permits('ns/pod-0'), true);
  });

  it('trusts again once nothing is missing', () => {
    const guard = new ShrinkGuard();
    guard.distrust();
    guard.observe({ live: 100, copies: 100, absent: new Set() }, 0);
    guard.observe({ live: 99, copies: 100, absent: keys(1) }, MINUTE);
    assert.equal(guard.permits('ns/pod-0'), true);
  });

  it('lets nothing go that no complete observation has heard of, once an older state was shown', () => {
    const guard = new ShrinkGuard();
    guard.observe({ live: 100, copies: 100, absent: new Set() }, 0);
    guard.distrust();
    assert.equal(guard.permits('ns/pod-0'), false);
    for (const minutes of [0, 15, 30]) guard.observe({ live: 99, copies: 100, absent: keys(1) }, minutes * MINUTE);
    assert.deepEqual([guard.permits('ns/pod-0'), guard.permits('ns/another')], [true, false]);
  });

  it('lets nothing go either where all that was missing of an older state has returned, until a complete observation lacks nothing', () => {
    const guard = new ShrinkGuard();
    guard.distrust();
    guard.observe({ live: 99, copies: 100, absent: keys(1) }, 0);
    guard.returned('ns/pod-0');
    assert.equal(guard.frozen, undefined);
    assert.deepEqual([guard.permits('ns/pod-0'), guard.permits('ns/another')], [false, false]);
    guard.observe({ live: 100, copies: 100, absent: new Set() }, MINUTE);
    assert.deepEqual([guard.permits('ns/pod-0'), guard.permits('ns/another')], [true, true]);
  });

  it('goes on doubting after an observation that lacks nothing and began before an older state was shown', () => {
    const guard = new ShrinkGuard();
    guard.distrust();
    const { epoch } = guard;
    guard.distrust();
    guard.observe({ live: 100, copies: 100, absent: new Set(), epoch }, 0);
    assert.equal(guard.permits('ns/pod-0'), false);
    guard.observe({ live: 99, copies: 100, absent: keys(1), epoch }, MINUTE);
    assert.deepEqual([guard.frozen?.missing.size, guard.permits('ns/pod-0')], [1, false]);
    guard.observe({ live: 100, copies: 100, absent: new Set(), epoch: guard.epoch }, 2 * MINUTE);
    assert.deepEqual([guard.frozen, guard.permits('ns/pod-0')], [undefined, true]);
  });

  it('follows every deletion that was seen, unless a limit is set', () => {
    const guard = new ShrinkGuard();
    for (const key of keys(10_000)) assert.equal(guard.followsDeletion(key, 0), true);
    assert.equal(guard.frozen, undefined);
  });

  it('freezes what a burst of deletions has beyond the limit, weak withdrawals with it, and everything seen from then on', () => {
    const guard = burst(12);
    assert.deepEqual([guard.frozen?.missing.size, guard.permits('ns/another')], [2, false]);
    assert.equal(guard.followsDeletion('ns/later', 10 * MINUTE), false);
    assert.equal(guard.frozen?.missing.size, 3);
  });

  it('counts deletions over the time set, each source once', () => {
    const guard = burst(10);
    assert.equal(guard.followsDeletion('ns/pod-9', 0), true);
    assert.equal(guard.followsDeletion('ns/later', MINUTE), true);
    assert.equal(guard.frozen, undefined);
  });

  it('lets a burst go by approval of exactly what is on record, and counts later deletions anew', () => {
    const guard = burst(12);
    assert.equal(guard.approve(keys(12)), false);
    assert.equal(guard.approve(new Set(['ns/pod-10', 'ns/pod-11'])), true);
    guard.observe({ live: 90, copies: 100, absent: new Set(['ns/pod-10', 'ns/pod-11']) }, 2 * MINUTE);
    for (const key of ['ns/pod-10', 'ns/pod-11', 'ns/later']) assert.equal(guard.followsDeletion(key, 2 * MINUTE), true);
    assert.equal(guard.followsDeletion('ns/pod-10', 9 * MINUTE), true);
  });

  it('lets a burst go once it is confirmed, or undone', () => {
    const [confirmed, undone] = [burst(12), burst(12)];
    const absent = new Set(['ns/pod-10', 'ns/pod-11']);
    for (const minutes of [10, 20, 29]) confirmed.observe({ live: 90, copies: 100, absent }, minutes * MINUTE);
    assert.equal(confirmed.followsDeletion('ns/pod-10', 29 * MINUTE), false);
    confirmed.observe({ live: 90, copies: 100, absent }, 30 * MINUTE);
    assert.equal(confirmed.followsDeletion('ns/pod-10', 30 * MINUTE), true);
    undone.observe({ live: 100, copies: 100, absent: new Set() }, MINUTE);
    assert.deepEqual([undone.frozen, undone.followsDeletion('ns/pod-10', 10 * MINUTE)], [undefined, true]);
    const seenAgain = burst(12);
    for (const key of absent) seenAgain.returned(key);
    assert.deepEqual([seenAgain.frozen, seenAgain.followsDeletion('ns/later', 10 * MINUTE)], [undefined, true]);
  });

  it('releases no absence that began after its source was seen again', () => {
    const guard = frozenGuard();
    assert.equal(guard.approve(keys(90)), true);
    guard.returned('ns/pod-0');
    guard.observe({ live: 10, copies: 100, absent: keys(90) }, MINUTE);
    assert.equal(guard.permits('ns/pod-0'), false);
    assert.equal(guard.permits('ns/pod-1'), true);
  });

  it('freezes nothing any more once every source was seen again', () => {
    const guard = frozenGuard();
    for (const key of keys(90)) guard.returned(key);
    assert.equal(guard.frozen, undefined);
  });

  it('calls it one occasion for as long as nothing is back, however often it is confirmed, approved or held', () => {
    const guard = frozenGuard();
    const first = guard.frozen?.occasion;
    assert.ok(first);
    guard.returned('ns/another');
    for (const minutes of [10, 20, 30]) {
      guard.observe({ live: 10, copies: 100, absent: keys(90) }, minutes * MINUTE);
      assert.equal(guard.frozen?.occasion, first);
    }
    guard.distrust();
    guard.pin(true);
    guard.approve(keys(90));
    assert.equal(guard.frozen?.occasion, first);
  });

  it('calls it another occasion once one of the sources was back, as an event or a complete observation shows it', () => {
    const [byEvent, byList] = [frozenGuard(), frozenGuard()];
    const without = keys(90);
    without.delete('ns/pod-0');
    byEvent.returned('ns/pod-0');
    byList.observe({ live: 11, copies: 100, absent: without }, MINUTE);
    for (const guard of [byEvent, byList]) {
      guard.observe({ live: 10, copies: 100, absent: keys(90) }, 2 * MINUTE);
      assert.deepEqual(guard.frozen?.missing.size, 90);
      assert.notEqual(guard.frozen?.occasion, frozenGuard().frozen?.occasion);
    }
  });

  it('calls it another occasion when the same sources go missing again after all were back', () => {
    const [byEvents, byList, again] = [frozenGuard(), frozenGuard(), burst(12)];
    for (const key of keys(90)) byEvents.returned(key);
    byList.observe({ live: 100, copies: 100, absent: new Set() }, MINUTE);
    for (const guard of [byEvents, byList]) {
      guard.observe({ live: 10, copies: 100, absent: keys(90) }, 2 * MINUTE);
      assert.notEqual(guard.frozen?.occasion, frozenGuard().frozen?.occasion);
    }
    again.observe({ live: 100, copies: 100, absent: new Set() }, 0);
    for (const key of keys(12)) again.followsDeletion(key, 0);
    assert.deepEqual([...(again.frozen?.missing.keys() ?? [])], ['ns/pod-10', 'ns/pod-11']);
    assert.notEqual(again.frozen?.occasion, burst(12).frozen?.occasion);
  });

  it('takes no occasion of another guard for one of its own', () => {
    const occasions = ['0.25', '0.5'].map((id) => {
      const guard = new ShrinkGuard(DEFAULT_GUARD, id);
      guard.observe({ live: 10, copies: 100, absent: keys(90) }, 0);
      return guard.frozen?.occasion;
    });
    assert.notEqual(occasions[0], occasions[1]);
  });

  it('never lets go outside the set that was approved', () => {
    const subset = fc.uniqueArray(fc.integer({ min: 0, max: 99 }), { minLength: 51, maxLength: 99 });
    fc.assert(
      fc.property(subset, fc.nat(120), (missing, other) => {
        const guard = new ShrinkGuard();
        const absent = new Set(missing.map((index) => `ns/pod-${index}`));
        guard.observe({ live: 0, copies: 200, absent }, 0);
        assert.equal(guard.approve(absent), true);
        assert.equal(guard.permits(`ns/pod-${other}`), absent.has(`ns/pod-${other}`));
      }),
    );
  });
});
