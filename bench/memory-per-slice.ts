import { collectGarbage } from '#bench/collect-garbage.ts';
import { fillCell, type Stage, startAndPublish } from '#bench/stage.ts';

/** What a service of that many slices holds once its garbage is collected, in bytes. */
export type Footprint = { slices: number; heap: number; resident: number };

/** Measures services of `few` and of `many` slices, each started anew with its slices in place. */
export async function measureMemory(stage: Stage, { few, many }: { few: number; many: number }): Promise<[Footprint, Footprint]> {
  stage.configure({ sweepInterval: '24h' });
  await fillCell(stage, { from: 0, to: few });
  const small = await measure(stage, few);
  await fillCell(stage, { from: few, to: many });
  return [small, await measure(stage, many)];
}

/** Published first and then started again: what is measured is not what a burst has left behind. */
async function measure(stage: Stage, slices: number): Promise<Footprint> {
  const { service } = stage;
  await startAndPublish(stage, slices);
  await service.stop();
  await startAndPublish(stage, slices);
  await collectGarbage(service);
  const heap = await service.metric('nodejs_heap_size_used_bytes');
  const resident = await service.metric('process_resident_memory_bytes');
  await service.stop();
  return { slices, heap, resident };
}

/** Bytes that each further slice has cost. */
export function bytesPerSlice(small: Footprint, large: Footprint): { heap: number; resident: number } {
  const more = large.slices - small.slices;
  return { heap: (large.heap - small.heap) / more, resident: (large.resident - small.resident) / more };
}
