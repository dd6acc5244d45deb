import { parseArgs } from 'node:util';
import { describeRun, run } from '#e2e/torture/run.ts';
import { openStage } from '#e2e/torture/stage.ts';
import { endOnceIdle } from '#planes/end-once-idle.ts';

/*
 * node e2e/torture/main.ts [--schedules N] [--seed N] [--minutes N] [--story]
 * Plays random schedules on real API servers, and exits 0 only when each of them passed. The seed of the first one is printed;
 * each later schedule has the next number. With `--story`, what happened in each of them is printed, failed or not.
 */
const { values } = parseArgs({
  options: {
    schedules: { type: 'string', default: '200' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1_000_000)) },
    minutes: { type: 'string', default: '180' },
    story: { type: 'boolean', default: false },
  },
});
const request = {
  firstSeed: Number(values.seed),
  schedules: Number(values.schedules),
  mostFailures: 5,
  mostMs: Number(values.minutes) * 60_000,
  stories: values.story,
};
endOnceIdle();
const say = (line: string) => console.log(line);
say(`${request.schedules} schedules from seed ${request.firstSeed}`);
const stage = await openStage(say);
try {
  const result = await run(stage, request, say);
  say(describeRun(result));
  if (result.played < request.schedules) say(`Ended before all of them were played`);
  process.exitCode = result.failed.length > 0 || result.played < request.schedules ? 1 : 0;
} finally {
  await stage.close();
}
