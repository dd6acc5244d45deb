import { runSchedule } from '#e2e/simulation/run-schedule.ts';
import type { Step } from '#e2e/simulation/schedule.ts';
import type { Violation } from '#e2e/simulation/world/world.ts';

/** The fewest steps found that still end in the same kind of violation: each is left out in turn for as long as that helps. */
export async function shrink(seed: number, steps: readonly Step[]): Promise<readonly Step[]> {
  const wanted = await failureOf(seed, steps);
  let smallest = steps;
  for (let at = 0; at < smallest.length; ) {
    const fewer = smallest.toSpliced(at, 1);
    if ((await failureOf(seed, fewer)) === wanted) {
      smallest = fewer;
      at = 0;
    } else at += 1;
  }
  return smallest;
}

async function failureOf(seed: number, steps: readonly Step[]): Promise<string | undefined> {
  const { violations } = await runSchedule(seed, steps);
  return kindOf(violations[0]);
}

/** The invariant and the fact, without the name that the fact is about. */
function kindOf(violation: Violation | undefined): string | undefined {
  return violation && `${violation.invariant} ${violation.fact.replace(/(copy|DELETE|PATCH) \S+/, '')}`;
}
