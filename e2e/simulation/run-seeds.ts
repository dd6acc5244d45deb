import { count } from '#e2e/simulation/network/link.ts';
import { runSchedule } from '#e2e/simulation/run-schedule.ts';
import { scheduleOf } from '#e2e/simulation/schedule.ts';
import { shrink } from '#e2e/simulation/shrink.ts';
import { addTotals, noTotals, type Totals } from '#e2e/simulation/tally-report.ts';
import type { World } from '#e2e/simulation/world/world.ts';

/** Runs the schedules of these seeds, one after the other, and says of each that fails how, with its smallest form. */
export async function runSeeds(seeds: Iterable<number>, options: { tell: (line: string) => void; isOver: () => boolean }): Promise<Totals> {
  const totals = noTotals();
  for (const seed of seeds) {
    if (options.isOver()) break;
    const steps = scheduleOf(seed);
    const world = await runSchedule(seed, steps);
    for (const { action } of steps) count(totals.actions, action);
    addTotals(totals, totalsOf(world, seed));
    if (world.violations.length > 0) options.tell(await describe(seed));
  }
  return totals;
}

/** How the schedule of a seed fails, with its smallest form, as text; ends with the run of that, step by step. */
export async function describe(seed: number, more: { steps?: boolean } = {}): Promise<string> {
  const steps = await shrink(seed, scheduleOf(seed));
  const lines: string[] = [];
  const { violations } = await runSchedule(seed, steps, (line) => lines.push(line));
  return [
    `seed ${seed} fails:`,
    ...violations.map(({ invariant, fact, atMs }) => `  invariant ${invariant} at ${Math.round(atMs)} ms: ${fact}`),
    `  steps: ${steps.map(({ action, waitMs }) => `${action}, ${waitMs} ms`).join('; ')}`,
    ...(more.steps ? lines : []),
  ].join('\n');
}

function totalsOf({ violations, faults, operations, decisions, clock }: World, seed: number): Totals {
  const failed = violations.length > 0 ? [seed] : [];
  return { schedules: 1, failed, faults, operations, decisions, actions: new Map(), simulatedMs: clock.monotonicMs() };
}
