import { Random } from '#e2e/simulation/random.ts';
import { FAULT_ACTIONS } from '#e2e/torture/fault-actions.ts';
import { HUB_ACTIONS } from '#e2e/torture/hub-actions.ts';
import { PLANE_ACTIONS } from '#e2e/torture/plane-actions.ts';
import { PRODUCER_ACTIONS } from '#e2e/torture/producer-actions.ts';

/** Everything that can happen. */
export const ACTIONS = { ...PRODUCER_ACTIONS, ...FAULT_ACTIONS, ...PLANE_ACTIONS, ...HUB_ACTIONS };

/** The name of anything that can happen. */
export type ActionName = keyof typeof ACTIONS;

/** One thing that happens, with chance of its own so that it stays the same when others change, and the wait after it. */
export type Step = { action: ActionName; seed: number; waitMs: number };

/** What restarts a plane takes as long as everything else together, and so is rare. */
const WEIGHTS: Record<ActionName, number> = {
  ...{ create: 30, createCrowd: 3, change: 10, changeTwice: 4, empty: 4, relabel: 4, annotate: 4, untenant: 3, tenant: 3 },
  ...{ terminate: 2, finish: 2, remove: 18, remake: 7, retype: 1, removeMost: 4, bringBack: 4 },
  ...{ fault: 30, storm: 16, calm: 8 },
  ...{ killServer: 0.6, killStore: 0.6, mend: 3, backUp: 1.5, restore: 1.2, killService: 3, restartService: 2, startService: 6 },
  ...{ editCopy: 5, claimCopy: 3, deleteCopy: 4, disownCopy: 1.5, takeName: 3, freeName: 2, deleteHubNamespace: 1.5, makeHubNamespace: 2 },
  ...{ unroute: 3, route: 7 },
};

/** Sources to begin with, and the time in which they are mostly published: without copies most of what follows would hit nothing. */
const FIRST = 10;
const FIRST_MS = 1_500;
/** A storm lasts so long that a sweep falls into it, and the reads that follow from one. */
const STORM_MS = 2_000;

/** The steps that a seed stands for. */
export function scheduleOf(seed: number): Step[] {
  const random = new Random(seed);
  const step = (action: ActionName): Step => {
    const [seed, waited] = [Math.floor(random.next() * 2 ** 31), waitMs(random)];
    return { action, seed, waitMs: action === 'storm' ? Math.max(waited, STORM_MS) : waited };
  };
  const first = Array.from({ length: FIRST }, (_, at) => ({ ...step('create'), waitMs: at < FIRST - 1 ? 0 : FIRST_MS }));
  return [...first, ...Array.from({ length: random.integer(20, 40) }, () => step(random.weighted(WEIGHTS)))];
}

/** Mostly so short that things cross, at times so long that the hub is right in between. */
function waitMs(random: Random): number {
  const pace = random.weighted({ atOnce: 4, crossing: 8, brief: 5, long: 1 });
  if (pace === 'atOnce') return 0;
  if (pace === 'crossing') return random.integer(1, 60);
  return pace === 'brief' ? random.integer(100, 800) : random.integer(1_500, 3_000);
}
