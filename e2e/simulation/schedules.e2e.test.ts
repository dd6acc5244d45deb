import assert from 'node:assert/strict';
import { FAILED_SEEDS } from '#e2e/simulation/failed-seeds.ts';
import { runSchedule } from '#e2e/simulation/run-schedule.ts';
import { coverage } from '#e2e/simulation/decision-rows.ts';
import { describe as tellOf, runSeeds } from '#e2e/simulation/run-seeds.ts';
import { scheduleOf } from '#e2e/simulation/schedule.ts';

/** A fixed part of what `make simulate` runs, so that a test run takes the same path each time. */
const SEEDS = Array.from({ length: 200 }, (_, at) => at + 1);

describe('random schedules of producers, faults and restarts', function () {
  // Nothing but computing: a minute of one core, which other suites use as well.
  this.timeout(600_000);

  it('break no invariant, and reach every row of the decision table and every outcome of guard and identity', async () => {
    const failures: string[] = [];
    const { decisions } = await runSeeds(SEEDS, { tell: (line) => failures.push(line), isOver: () => false });
    assert.deepEqual(failures, []);
    const unreached = [...coverage(decisions)].filter(([, times]) => times === 0).map(([row]) => row);
    assert.deepEqual(unreached, []);
  });

  for (const [seed, story] of Object.entries(FAILED_SEEDS)) {
    it(`break no invariant where one did: ${story}`, async () => {
      const { violations } = await runSchedule(Number(seed), scheduleOf(Number(seed)));
      if (violations.length > 0) assert.fail(await tellOf(Number(seed)));
    });
  }

  it('are the same run for the same seed, to the last write', async () => {
    const [one, other] = [await linesOf(7), await linesOf(7)];
    assert.ok(one.length > 20);
    assert.deepEqual(one, other);
  });
});

async function linesOf(seed: number): Promise<string[]> {
  const lines: string[] = [];
  await runSchedule(seed, scheduleOf(seed), (line) => lines.push(line));
  return lines;
}
