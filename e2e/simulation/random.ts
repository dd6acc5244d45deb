/** A source of chance that a seed determines. */
export class Random {
  #state: number;

  constructor(seed: number) {
    // Neighbouring seeds must not begin alike.
    this.#state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) >>> 0;
    for (let warming = 0; warming < 4; warming += 1) this.next();
  }

  /** Uniform in [0, 1): mulberry32. */
  readonly next = (): number => {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };

  /** Uniform in [from, to]. */
  integer(from: number, to: number): number {
    return from + Math.floor(this.next() * (to - from + 1));
  }

  /** True that often, 0 to 1. */
  chance(share: number): boolean {
    return this.next() < share;
  }

  /** One of them. @throws {RangeError} when there is none. */
  pick<T>(choices: readonly T[]): T {
    const chosen = choices[Math.floor(this.next() * choices.length)];
    if (chosen === undefined) throw new RangeError('Cannot pick from nothing');
    return chosen;
  }

  /** A key of the table, each as often as its weight says. */
  weighted<K extends string>(weights: Readonly<Record<K, number>>): K {
    const keys = Object.keys(weights).filter((key): key is K => key in weights);
    const total = keys.reduce((sum, key) => sum + weights[key], 0);
    let left = this.next() * total;
    for (const key of keys) {
      left -= weights[key];
      if (left < 0) return key;
    }
    return this.pick(keys);
  }
}
