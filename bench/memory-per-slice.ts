import { setTimeout as sleep } from 'node:timers/promises';
import { fillCell, type Stage, startAndPublish } from '#bench/stage.ts';

/** What a service of that many slices holds, in bytes. */
export type Footprint = { slices: number; heap: number; resident: number };

/** How long the least use of the heap is looked for, in milliseconds: garbage must have been collected at least once. */
const LOOK_MS = 15_000;
const LOOK_EVERY_MS = 250;

/** Measures services of `few` and of `many` slices, each started anew with its slices in place. */
export async function measureMemory(stage: Stage, { few, many }: { few: number; many: number }): Promise<[Footprint, Footprint]> {
  stage.configure({ sweepInterval: '2s' });
  await fillCell(stage, { from: 0, to: few });
  const small = await measure(stage, few);
  await fillCell(stage, { from: few, to: many });
  return [small, await measure(stage, many)];
}

/** Published first and then started again: what is measured is not what a burst has left behind. */
async function measure(stage: Stage, slices: number): Promise<Footprint> {
  await startAndPublish(stage, slices);
  await stage.service.stop();
  await startAndPublish(stage, slices);
  const footprint = await leastUse(stage, slices);
  await stage.service.stop();
  return footprint;
}

/** Sweeps go on meanwhile and make garbage, so that it is collected. */
async function leastUse({ service }: Stage, slices: number): Promise<Footprint> {
  const least: Footprint = { slices, heap: Infinity, resident: Infinity };
  for (const endMs = performance.now() + LOOK_MS; performance.now() < endMs; await sleep(LOOK_EVERY_MS)) {
    least.heap = Math.min(least.heap, await service.metric('nodejs_heap_size_used_bytes'));
    least.resident = Math.min(least.resident, await service.metric('process_resident_memory_bytes'));
  }
  return least;
}

/** Bytes that each further slice has cost. */
export function bytesPerSlice(small: Footprint, large: Footprint): { heap: number; resident: number } {
  const more = large.slices - small.slices;
  return { heap: (large.heap - small.heap) / more, resident: (large.resident - small.resident) / more };
}
