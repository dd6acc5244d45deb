import { Random } from '#e2e/simulation/random.ts';
import type { OPERATOR_ACTIONS } from '#e2e/simulation/world/operator-actions.ts';
import type { CELL_ACTIONS } from '#e2e/simulation/world/cell-actions.ts';
import type { HUB_ACTIONS } from '#e2e/simulation/world/hub-actions.ts';
import type { WEATHER_ACTIONS } from '#e2e/simulation/world/weather-actions.ts';

/** What the service itself suffers. */
export type ServiceAction = 'restart' | 'kill' | 'overlap' | 'swap' | 'swapBack';

/** The name of anything that can happen. */
export type ActionName =
  | keyof typeof CELL_ACTIONS
  | keyof typeof HUB_ACTIONS
  | keyof typeof WEATHER_ACTIONS
  | keyof typeof OPERATOR_ACTIONS
  | ServiceAction;

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
  ...{ restart: 2, kill: 3, overlap: 1, swap: 0.8, swapBack: 1 },
  ...{ deploy: 4, loseStore: 4, findStore: 2 },
  ...{ readReport: 2, approve: 4, hold: 1, letGo: 1, bindAnew: 1 },
};

/** What a schedule is about: some things happen so much more often in it. */
const THEMES: Record<string, { share: number; weights: Partial<Record<ActionName, number>> }> = {
  everything: { share: 5, weights: {} },
  losses: {
    share: 3,
    weights: { deploy: 40, loseStore: 50, findStore: 30, restore: 8, deliverLocation: 6, readReport: 30, approve: 50, hold: 6, letGo: 2 },
  },
  replaced: { share: 2, weights: { deploy: 14, swap: 8, swapBack: 5, bindAnew: 12, restart: 5, readReport: 4, approve: 8 } },
};
const SHARES = Object.fromEntries(Object.entries(THEMES).map(([name, { share }]) => [name, share]));

/** The steps that a seed stands for. */
export function scheduleOf(seed: number): Step[] {
  const random = new Random(seed);
  const weights = { ...WEIGHTS, ...THEMES[random.weighted(SHARES)]?.weights };
  return Array.from({ length: random.integer(15, 45) }, () => ({
    action: random.weighted(weights),
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
