import { Random } from '#e2e/simulation/random.ts';
import { type ServiceAction, type Step } from '#e2e/simulation/schedule.ts';
import { type Action, CELL_ACTIONS } from '#e2e/simulation/world/cell-actions.ts';
import { findDifferences } from '#e2e/simulation/world/convergence.ts';
import { HUB_ACTIONS, releaseCopies } from '#e2e/simulation/world/hub-actions.ts';
import { Instance } from '#e2e/simulation/world/instance.ts';
import { isAnythingFrozen, isAnythingHeld, OPERATOR_ACTIONS, settleFrozen } from '#e2e/simulation/world/operator-actions.ts';
import { clearUp, WEATHER_ACTIONS } from '#e2e/simulation/world/weather-actions.ts';
import { World } from '#e2e/simulation/world/world.ts';

/** How long the hub may take to be right once nothing fails any more: the longest deadline, backoff and sweep, one after another. */
const CONVERGES_WITHIN_MS = 600_000;
const LOOK_MS = 5_000;
/** The service may take as long to read the hub's reports, when a list by stream does not end. */
const FORMER_REPORT_MS = 100_000;
/** Two sweeps, in which nothing may be written. */
const STEADY_MS = 70_000;
/** Long enough for everything frozen to be released by time, if nothing else kept it. */
const HELD_MS = 120_000;

const ACTIONS: Record<string, Action> = { ...CELL_ACTIONS, ...HUB_ACTIONS, ...OPERATOR_ACTIONS, ...WEATHER_ACTIONS };

/** Plays a schedule from its first step to a steady state. The world that is returned holds what was violated and how often what happened. */
export async function runSchedule(seed: number, steps: readonly Step[], tell?: (line: string) => void): Promise<World> {
  const run = new Run(seed);
  if (tell) run.world.tell = (line) => tell(`${String(Math.round(run.world.clock.monotonicMs())).padStart(7)} ${line}`);
  for (const step of steps) {
    if (run.world.violations.length > 0) return run.world;
    await run.take(step);
  }
  await run.settle();
  return run.world;
}

/** One run: a world, and the service in it, which comes and goes. */
class Run {
  readonly world: World;
  #instance: Instance;
  readonly #former: Instance[] = [];
  #seed: number;

  constructor(seed: number) {
    this.world = new World(seed);
    this.#seed = seed;
    this.#instance = new Instance(this.world, seed);
  }

  async take({ action, seed, waitMs }: Step): Promise<void> {
    this.world.tell(`# ${action}`);
    const act = ACTIONS[action];
    if (act) act(this.world, new Random(seed));
    else if (isServiceAction(action)) this.#serve(action, new Random(seed));
    await this.world.clock.advance(waitMs);
  }

  /** Ends every fault, then waits for the hub to be right, then for nothing to be written, then for the service to end. */
  async settle(): Promise<void> {
    const { world } = this;
    clearUp(world);
    releaseCopies(world);
    // What operators hold is not released by time, however long that is.
    if (isAnythingHeld(world)) await world.clock.advance(HELD_MS);
    const startMs = world.clock.monotonicMs();
    // While a report may be of a former run that was fenced, nothing missing says nothing.
    const wasSwapped = world.cells.some(({ clusters }) => clusters.length > 1);
    await world.clock.advance(wasSwapped ? FORMER_REPORT_MS : LOOK_MS);
    const writes = await this.#untilThawed(startMs + CONVERGES_WITHIN_MS);
    world.calm = true;
    await world.clock.advance(STEADY_MS);
    if (world.writes > writes) world.violate(6, `${world.writes - writes} writes though nothing has changed`);
    for (const difference of findDifferences(world)) world.violate(2, `again, ${difference}`);
    await this.#end();
  }

  /** What is frozen may go later though nothing calls for that: an event that would hold it was lost, and is made good by the next list. */
  async #untilThawed(untilMs: number): Promise<number> {
    const writes = await this.#untilSteady(untilMs);
    if (!isAnythingFrozen(this.world)) return writes;
    await this.world.clock.advance(HELD_MS);
    return this.#untilSteady(untilMs);
  }

  /**
   * Waits for the hub to be right and nothing to be written any more: what was sent while things still failed may arrive when the hub is
   * right already, and calls for more. @returns how many writes there were.
   */
  async #untilSteady(untilMs: number): Promise<number> {
    const { world } = this;
    for (;;) {
      await this.#untilRight(untilMs);
      const writes = world.writes;
      await world.clock.advance(STEADY_MS / 2);
      const isSteady = world.writes === writes && findDifferences(world).length === 0;
      if (isSteady || world.clock.monotonicMs() >= untilMs) break;
    }
    for (const difference of findDifferences(world)) world.violate(2, difference);
    return world.writes;
  }

  async #untilRight(untilMs: number): Promise<void> {
    const { world } = this;
    while (findDifferences(world).length > 0 && world.clock.monotonicMs() < untilMs) {
      settleFrozen(world);
      await world.clock.advance(LOOK_MS);
    }
  }

  async #end(): Promise<void> {
    this.#instance.stop();
    const instances = [this.#instance, ...this.#former];
    for (let waits = 0; waits < 60 && instances.some(({ ended }) => !ended); waits += 1) await this.world.clock.advance(1_000);
    for (const instance of instances) if (!instance.ended) this.world.violate(0, 'the service does not end');
  }

  #serve(action: ServiceAction, random: Random): void {
    const { world } = this;
    const cell = random.pick(world.cells);
    if (action === 'swap') this.#swap(() => cell.clusters.push(world.newCluster()), cell);
    else if (action === 'swapBack') this.#swap(() => cell.clusters.unshift(...cell.clusters.splice(-1)), cell);
    else this.#restart(action, random);
  }

  #swap(swap: () => void, cell: World['cells'][number]): void {
    const before = this.world.clusterOf(cell);
    swap();
    before.server.cut();
  }

  #restart(action: 'restart' | 'kill' | 'overlap', random: Random): void {
    this.#former.push(this.#instance);
    if (action === 'kill') this.#instance.kill();
    if (action === 'restart') this.#instance.stop();
    const former = this.#instance;
    if (action === 'overlap') this.world.clock.after(random.integer(1_000, 30_000), () => former.stop());
    this.#seed += 1;
    this.#instance = new Instance(this.world, this.#seed);
  }
}

function isServiceAction(action: string): action is ServiceAction {
  return ['restart', 'kill', 'overlap', 'swap', 'swapBack'].includes(action);
}
