import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { runSchedule } from '#e2e/simulation/run-schedule.ts';
import { describe, runSeeds } from '#e2e/simulation/run-seeds.ts';
import { scheduleOf } from '#e2e/simulation/schedule.ts';
import { addTotals, formatTotals, noTotals, type Totals } from '#e2e/simulation/tally-report.ts';

/*
 * node e2e/simulation/main.ts [--schedules N] [--seed FIRST] [--minutes N] [--workers N] [--first-failure] [--explain SEED]
 * Runs N random schedules and prints what they did; exits 1 when one fails. --explain tells one seed's run step by step.
 */
/** Schedules after which a worker tells what they came to. */
const AT_A_TIME = 25;
const PROGRESS_MS = 60_000;
/** Most of what a schedule makes is gone with it: in a large young generation it is never copied, which saves a tenth of the time. */
const YOUNG_MB = 128;

type Share = { first: number; end: number; by: number; untilMs: number };

if (isMainThread) await main();
else await work(workerData);

async function main(): Promise<void> {
  const text = { type: 'string' } as const;
  const options = {
    schedules: text,
    seed: text,
    minutes: text,
    explain: text,
    workers: text,
    'first-failure': { type: 'boolean' },
  } as const;
  const { values } = parseArgs({ options });
  if (values.explain !== undefined) return console.log(await describe(Number(values.explain), { steps: true }));
  const first = Number(values.seed ?? 1);
  const end = first + Number(values.schedules ?? 1_000);
  const untilMs = Date.now() + Number(values.minutes ?? 120) * 60_000;
  console.log(`schedules of seeds ${first} to ${end - 1}`);
  if (values['first-failure']) return untilFailure(first, end);
  const startedMs = Date.now();
  const by = Math.min(Number(values.workers ?? availableParallelism()), end - first);
  const totals = noTotals();
  const progress = progressOf(totals, { schedules: end - first, startedMs });
  await Promise.all(Array.from({ length: by }, (_, at) => runWorker({ first: first + at, end, by, untilMs }, { totals, progress })));
  console.log(formatTotals(totals, Date.now() - startedMs));
  if (totals.schedules < end - first) console.log(`Time was over before all ${end - first} had run`);
  process.exitCode = totals.failed.length > 0 ? 1 : 0;
}

/** For a build that is broken on purpose: the first failure is all that is asked for, and not its smallest form. */
async function untilFailure(first: number, end: number): Promise<void> {
  for (let seed = first; seed < end; seed += 1) {
    const [violation] = (await runSchedule(seed, scheduleOf(seed))).violations;
    if (violation === undefined) continue;
    console.log(`invariant ${violation.invariant}, seed ${seed}, after ${seed - first + 1} schedules: ${violation.fact}`);
    process.exitCode = 1;
    return;
  }
}

/** Says now and then how far things are. */
function progressOf(totals: Totals, { schedules, startedMs }: { schedules: number; startedMs: number }): () => void {
  let saidMs = startedMs;
  return () => {
    if (Date.now() < saidMs + PROGRESS_MS) return;
    saidMs = Date.now();
    const minutes = ((saidMs - startedMs) / 60_000).toFixed(1);
    console.log(`${totals.schedules} of ${schedules} after ${minutes} minutes, ${totals.failed.length} failed`);
  };
}

async function runWorker(share: Share, { totals, progress }: { totals: Totals; progress: () => void }): Promise<void> {
  const worker = new Worker(new URL(import.meta.url), { workerData: share, resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB } });
  worker.on('message', (message: Totals) => {
    addTotals(totals, message);
    progress();
  });
  const [exitCode] = await once(worker, 'exit');
  if (exitCode !== 0) throw new Error(`A worker ended with ${String(exitCode)}`);
}

async function work({ first, end, by, untilMs }: Share): Promise<void> {
  // A tenth of the time goes into stacks of abort signals that nobody reads.
  Error.stackTraceLimit = 0;
  const isOver = () => Date.now() > untilMs;
  for (let seed = first; seed < end && !isOver(); ) {
    const seeds = Array.from({ length: Math.min(AT_A_TIME, Math.ceil((end - seed) / by)) }, (_, at) => seed + at * by);
    parentPort?.postMessage(await runSeeds(seeds, { tell: (line) => console.log(line), isOver }));
    seed += seeds.length * by;
  }
}
