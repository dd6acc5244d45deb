import { Random } from '#e2e/simulation/random.ts';
import type { CELL_ACTIONS } from '#e2e/simulation/world/cell-actions.ts';
import type { HUB_ACTIONS } from '#e2e/simulation/world/hub-actions.ts';
import type { WEATHER_ACTIONS } from '#e2e/simulation/world/weather-actions.ts';

/** What the service itself suffers. */
export type ServiceAction = 'restart' | 'kill' | 'overlap' | 'swap' | 'swapBack' | 'bindAnew';

/** The name of anything that can happen. */
export type ActionName = keyof typeof CELL_ACTIONS | keyof typeof HUB_ACTIONS | keyof typeof WEATHER_ACTIONS | ServiceAction;

/** One thing that happens, with chance of its own so that it stays the same when others are left out, and the wait after it. */
export type Step = { action: ActionName; seed: number; waitMs: number };

const WEIGHTS: Record<ActionName, number> = {
  ...{
    create: 30,
    change: 10,
    relabel: 4,
    annotate: 4,
    touchForeignKeys: 1,
    empty: 3,
    untenant: 2,
    tenant: 3,
    terminate: 2,
    finishTermination: 2,
  },
  ...{ remove: 10, remake: 5, removeAll: 1, deliverBack: 4, takeOver: 1, cellNamespace: 3, deliverLocation: 2 },
  ...{ claim: 5, editBody: 3, editLabel: 2, dropKey: 2, deleteCopy: 4, takeName: 2, freeName: 3, holdCopy: 1, releaseCopies: 2 },
  ...{ hubNamespace: 3, hubForgets: 1 },
  ...{ weather: 14, clear: 6, cutWatches: 2, forget: 2, backUp: 1, restore: 1, jumpWall: 1 },
  ...{ restart: 2, kill: 3, overlap: 1, swap: 0.5, swapBack: 1, bindAnew: 0.5 },
};

/** The steps that a seed stands for. */
export function scheduleOf(seed: number): Step[] {
  const random = new Random(seed);
  return Array.from({ length: random.integer(15, 45) }, () => ({
    action: random.weighted(WEIGHTS),
    seed: Math.floor(random.next() * 2 ** 31),
    waitMs: waitMs(random),
  }));
}

/** Mostly so short that things cross, at times so long that every deadline passes. */
function waitMs(random: Random): number {
  const pace = random.weighted({ atOnce: 3, crossing: 8, brief: 6, long: 2 });
  if (pace === 'atOnce') return 0;
  if (pace === 'crossing') return random.integer(1, 80);
  return pace === 'brief' ? random.integer(100, 3_000) : random.integer(5_000, 40_000);
}
