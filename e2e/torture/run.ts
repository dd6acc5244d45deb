import { Court } from '#e2e/torture/court.ts';
import { runSchedule } from '#e2e/torture/run-schedule.ts';
import type { Counts, Outcome } from '#e2e/torture/run-schedule.ts';
import type { Stage } from '#e2e/torture/stage.ts';
import { formatTally, total } from '#e2e/torture/tally.ts';

/**
 * Which schedules: that many, from this seed upwards, until this many have failed or the time is over.
 * `stories`: what happened is told of every schedule, not only of those that failed.
 */
export type RunRequest = { firstSeed: number; schedules: number; mostFailures: number; mostMs: number; stories?: boolean };

/** What a run has come to. */
export type RunResult = { played: number; failed: Outcome[]; counts: Counts; tookMs: number };

/** Plays schedules one after another on one stage. `tell` hears of each failure at once, and of the progress. */
export async function run(stage: Stage, request: RunRequest, tell: (line: string) => void): Promise<RunResult> {
  const court = new Court(stage);
  const counts: Counts = { steps: new Map(), faults: new Map(), verdicts: new Map() };
  const startedMs = performance.now();
  const tookMs = () => performance.now() - startedMs;
  const failed: Outcome[] = [];
  let played = 0;
  while (played < request.schedules && failed.length < request.mostFailures && tookMs() < request.mostMs) {
    const outcome = await runSchedule(stage, request.firstSeed + played, { court, counts });
    played += 1;
    if (outcome.violations.length > 0) {
      failed.push(outcome);
      tell(describeFailure(outcome));
    } else if (request.stories) tell([`Seed ${outcome.seed} passed`, ...outcome.story].join('\n  '));
    if (played % PROGRESS === 0) tell(`${played} schedules after ${Math.round(tookMs() / 1000)} s, ${failed.length} failed`);
  }
  return { played, failed, counts, tookMs: tookMs() };
}

/** Schedules between two lines about the progress. */
const PROGRESS = 10;

/** What a run was made of. */
export function describeRun({ played, failed, counts, tookMs }: RunResult): string {
  return [
    `${played} schedules in ${Math.round(tookMs / 1000)} s: ${played - failed.length} passed, ${failed.length} failed`,
    `${total(counts.steps)} steps: ${formatTally(counts.steps)}`,
    `${total(counts.faults)} faults: ${formatTally(counts.faults)}`,
    `${total(counts.verdicts)} withdrawals judged: ${formatTally(counts.verdicts)}`,
  ].join('\n');
}

/** A failure with all that is needed to understand it. */
export function describeFailure({ seed, violations, story, serviceLog }: Outcome): string {
  const wrong = violations.map((violation) => `  wrong: ${violation}`);
  return [`Seed ${seed} failed`, ...wrong, ...story.map((line) => `  ${line}`), "The service's last lines:", serviceLog].join('\n');
}
