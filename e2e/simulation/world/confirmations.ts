import { count } from '#e2e/simulation/network/link.ts';
import { sourcesOnHub } from '#e2e/simulation/world/told-copies.ts';
import { SOURCES, SPACES, type World } from '#e2e/simulation/world/world.ts';

/** How often in a row each source of one cell was absent from complete observations, and since when (contract section 5). */
export class Confirmations {
  readonly #world: World;
  /** An operator keeps time from releasing anything, and the service was told so. */
  readonly #isHeld: () => boolean;
  readonly #absent = new Map<string, { times: number; sinceMs: number }>();

  constructor(world: World, isHeld: () => boolean) {
    this.#world = world;
    this.#isHeld = isHeld;
  }

  /**
   * Notes of every source whether it was absent once more, whatever copies there are by now: the service may know of one by a read of its
   * own, before the hub's list has told of it, or after a mark of it was edited away.
   */
  listed(seen: ReadonlySet<string>): void {
    const ordinary = SPACES.flatMap((space) => SOURCES.map((name) => `${space}/${name}`));
    for (const source of new Set([...ordinary, ...sourcesOnHub(this.#world), ...this.#absent.keys()])) {
      const { times, sinceMs } = this.#absent.get(source) ?? { times: 0, sinceMs: this.#world.clock.monotonicMs() };
      if (seen.has(source)) this.#absent.delete(source);
      else this.#absent.set(source, { times: times + 1, sinceMs });
    }
  }

  /** Notes that the source was shown. */
  shown(source: string): void {
    this.#absent.delete(source);
  }

  /** What at least so many complete observations, over at least so long, have missed; nothing is released by time while it is held. */
  confirmed(): string[] {
    const { confirmations, confirmAfterMs } = this.#world.guard;
    if (confirmAfterMs === undefined) return [];
    const untilMs = this.#world.clock.monotonicMs() - confirmAfterMs;
    const confirmed = [...this.#absent].filter(([, { times, sinceMs }]) => times >= confirmations && sinceMs <= untilMs);
    if (confirmed.length === 0 || !this.#isHeld()) return confirmed.map(([source]) => source);
    count(this.#world.decisions, 'held though confirmed');
    return [];
  }
}
