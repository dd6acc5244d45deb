import { type RequestFault, type Weather, type WatchFault, type WeatherName, WEATHERS } from '#e2e/simulation/network/weather.ts';
import type { Random } from '#e2e/simulation/random.ts';

/** How often each fault was met. */
export type Tally = Map<string, number>;

/** Counts one more. */
export function count(tally: Tally, name: string, by = 1): void {
  tally.set(name, (tally.get(name) ?? 0) + by);
}

/** The way to one server: its weather, and what that does. */
export class Link {
  readonly #random: Random;
  readonly #faults: Tally;
  #weather: WeatherName = 'calm';

  constructor(options: { random: Random; faults: Tally }) {
    this.#random = options.random;
    this.#faults = options.faults;
  }

  get weather(): WeatherName {
    return this.#weather;
  }

  get random(): Random {
    return this.#random;
  }

  become(weather: WeatherName): void {
    this.#weather = weather;
  }

  /** What happens to a request now, of the faults that make sense for it. */
  drawRequestFault(makesSense: (fault: RequestFault) => boolean): RequestFault | undefined {
    const { share, faults }: Weather = WEATHERS[this.#weather];
    return this.#draw(share, faults.filter(makesSense));
  }

  /** What happens to a watch that begins now. */
  drawWatchFault(makesSense: (fault: WatchFault) => boolean): WatchFault | undefined {
    const { share, watchFaults }: Weather = WEATHERS[this.#weather];
    return this.#draw(share, watchFaults.filter(makesSense));
  }

  #draw<F extends string>(share: number, faults: readonly F[]): F | undefined {
    if (faults.length === 0 || !this.#random.chance(share)) return undefined;
    const fault = this.#random.pick(faults);
    count(this.#faults, fault);
    return fault;
  }
}
