import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '#e2e/simulation/random.ts';
import { deleteNamespace } from '#e2e/scenario/slices.ts';
import type { Court, Judgement } from '#e2e/torture/court.ts';
import { ACTIONS, scheduleOf } from '#e2e/torture/schedule.ts';
import type { Step } from '#e2e/torture/schedule.ts';
import { converge, endTrouble } from '#e2e/torture/settle.ts';
import type { Stage } from '#e2e/torture/stage.ts';
import { count } from '#e2e/torture/tally.ts';
import type { Tally } from '#e2e/torture/tally.ts';
import { createWorld } from '#e2e/torture/world.ts';
import type { World } from '#e2e/torture/world.ts';

/** What is counted over all schedules of a run. */
export type Counts = { steps: Tally; faults: Tally; verdicts: Tally };

/** How one schedule went: what was wrong, what happened, line by line with times, and what the service said last. */
export type Outcome = { seed: number; violations: string[]; story: string[]; serviceLog: string };

const NAMESPACES = 2;

/**
 * Plays the schedule of a seed to its end: every step, then an end to all trouble, then the hub must become right, and what the
 * service has written on the way is judged. Leaves the stage as it found it, with a service that runs.
 */
export async function runSchedule(stage: Stage, seed: number, { court, counts }: { court: Court; counts: Counts }): Promise<Outcome> {
  const startedMs = performance.now();
  const story: string[] = [];
  const tell = (line: string) => void story.push(`${((performance.now() - startedMs) / 1000).toFixed(2).padStart(7)} s  ${line}`);
  const namespaces = Array.from({ length: NAMESPACES }, (_, at) => `torture-${seed}-${at}-${Date.now().toString(36)}`);
  const world = await createWorld(stage, { namespaces, faults: counts.faults, tell });
  const violations: string[] = [];
  try {
    await play(world, seed, counts);
  } catch (error) {
    violations.push(error instanceof Error ? error.message : String(error));
  }
  const judgement: Judgement = court.judge(world);
  for (const verdict of judgement.verdicts) count(counts.verdicts, verdict);
  tell(`judged ${judgement.verdicts.length} withdrawals`);
  violations.push(...judgement.violations);
  const serviceLog = stage.service.logTail();
  await clear(world);
  return { seed, violations, story, serviceLog };
}

async function play(world: World, seed: number, counts: Counts): Promise<void> {
  for (const step of scheduleOf(seed)) {
    count(counts.steps, step.action);
    await take(world, step);
  }
  world.tell('all trouble ends');
  await endTrouble(world, new Random(seed));
  world.tell('everything is well again');
  await converge(world);
  world.tell('the hub is right');
}

async function take(world: World, { action, seed, waitMs }: Step): Promise<void> {
  if (world.serving && !world.stage.service.running) throw new Error('The service has ended by itself');
  world.tell(`${action}, then ${waitMs} ms`);
  await ACTIONS[action](world, new Random(seed));
  // Part of the schedule: how closely things follow each other is what it draws. Nothing is concluded from it.
  await sleep(waitMs);
}

/** What a failed schedule has left, too: the next one must not stumble over it. */
async function clear(world: World): Promise<void> {
  const { hub } = world.stage;
  await endTrouble(world, new Random(0));
  for (const namespace of world.namespaces) {
    for (const { slices } of world.cells) {
      for (const { metadata } of await slices.list(namespace))
        if (metadata.finalizers) await slices.patch({ namespace, name: metadata.name }, { metadata: { finalizers: null } });
      await slices.clear(namespace);
    }
    await hub.slices.clear(namespace);
    await deleteNamespace(hub.plane.admin, namespace);
  }
}
