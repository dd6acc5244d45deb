import { parseArgs } from 'node:util';
import { runSchedule } from '#e2e/simulation/run-schedule.ts';
import { scheduleOf } from '#e2e/simulation/schedule.ts';

const { values } = parseArgs({ options: { schedules: { type: 'string', default: '1000' }, seed: { type: 'string', default: '1' } } });
const first = Number(values.seed);
const started = performance.now();
let failed = 0;
for (let seed = first; seed < first + Number(values.schedules); seed += 1) {
  const world = await runSchedule(seed, scheduleOf(seed));
  if (world.violations.length === 0) continue;
  failed += 1;
  console.log(`seed ${seed}: ${JSON.stringify(world.violations.slice(0, 3))}`);
  if (failed >= 20) break;
}
console.log(`${Math.round(performance.now() - started)} ms, ${failed} failed`);
