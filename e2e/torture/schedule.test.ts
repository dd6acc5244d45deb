import assert from 'node:assert/strict';
import { ACTIONS, scheduleOf } from '#e2e/torture/schedule.ts';

describe('the schedule of a seed', () => {
  it('is always the same', () => {
    assert.deepEqual(scheduleOf(17), scheduleOf(17));
    assert.notDeepEqual(scheduleOf(17), scheduleOf(18));
  });

  it('comes to every action in the end', () => {
    const drawn = new Set(Array.from({ length: 200 }, (_, seed) => scheduleOf(seed)).flatMap((steps) => steps.map(({ action }) => action)));
    assert.deepEqual([...drawn].toSorted(), Object.keys(ACTIONS).toSorted());
  });

  it('lasts for seconds, not for minutes', () => {
    for (let seed = 0; seed < 200; seed += 1) {
      const waitedMs = scheduleOf(seed).reduce((sum, { waitMs }) => sum + waitMs, 0);
      assert.ok(waitedMs < 60_000, `${seed}: ${waitedMs} ms`);
    }
  });
});
