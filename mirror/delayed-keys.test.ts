import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ManualClock } from '#kube/testing/manual-clock.ts';
import { DelayedKeys } from '#mirror/delayed-keys.ts';

/** Keys come due in steps of so many milliseconds. */
const STEP_MS = 25;

function scene() {
  const clock = new ManualClock();
  const released: string[] = [];
  const keys = new DelayedKeys(clock, (key, priority) => void released.push(`${key} ${priority} ${clock.monotonicMs()}`));
  return { clock, released, keys };
}

describe('delayed keys', () => {
  it('are released when they are due, each in its lane, and once', async () => {
    const { clock, released, keys } = scene();
    keys.add('late', 1_000, 'repair');
    keys.add('early', 100, 'live');
    await clock.advance(99);
    assert.deepEqual(released, []);
    await clock.advance(10_000);
    assert.deepEqual(released, ['early live 100', 'late repair 1000']);
  });

  it('are released at the earliest time asked for', async () => {
    const { clock, released, keys } = scene();
    keys.add('a', 1_000, 'repair');
    keys.add('a', 100, 'live');
    keys.add('a', 5_000, 'sweep');
    await clock.advance(10_000);
    assert.deepEqual(released, ['a live 100']);
  });

  it('are not released once cancelled, nor after closing', async () => {
    const { clock, released, keys } = scene();
    keys.add('a', 100, 'live');
    keys.add('b', 100, 'live');
    keys.cancel('a');
    await clock.advance(100);
    keys.add('c', 100, 'live');
    keys.close();
    await clock.advance(10_000);
    assert.deepEqual(released, ['b live 100']);
  });

  it('may be delayed again while they are released', async () => {
    const clock = new ManualClock();
    let times = 0;
    const keys: DelayedKeys = new DelayedKeys(clock, (key, priority) => {
      times += 1;
      if (times < 3) keys.add(key, 100, priority);
    });
    keys.add('a', 100, 'live');
    await clock.advance(1_000);
    assert.equal(times, 3);
  });

  it('are never released early, and at most one step late, in whatever order they were delayed', async () => {
    const additions = fc.uniqueArray(fc.tuple(fc.stringMatching(/^[a-z]{1,3}$/), fc.nat(2_000)), { selector: ([key]) => key });
    await fc.assert(
      fc.asyncProperty(additions, async (delays) => {
        const { clock, released, keys } = scene();
        for (const [key, ms] of delays) keys.add(key, ms, 'live');
        await clock.advance(3_000);
        const timeOf = new Map(released.map((line) => [line.split(' ')[0], Number(line.split(' ')[2])]));
        assert.equal(released.length, delays.length);
        for (const [key, ms] of delays) {
          const lateMs = (timeOf.get(key) ?? Infinity) - ms;
          assert.ok(lateMs >= 0 && lateMs <= STEP_MS, `${key} came ${lateMs} ms after it was due`);
        }
      }),
      { numRuns: 30 },
    );
  });
});
