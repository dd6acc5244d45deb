import type { ObjectKey } from '#mirror/object-key.ts';

/** `kept`: left as it is on purpose. `waiting`: comes right by itself. `refused`: not without somebody. */
export type HoldState = 'kept' | 'waiting' | 'refused';

/** A key that is not as its source calls for, or whose source is passed over, and why. */
export type Hold = { state: HoldState; reason: string; sinceMs: number };

/** How many keys are held in one way for one reason. */
export type HeldCount = { state: HoldState; reason: string; count: number };

/** What stands open in one mirror: no key is ever in an unwanted state without a reason that can be read here. */
export class Holds {
  readonly #holds = new Map<ObjectKey, Hold>();

  /** Notes how and why the key is held. @returns true when the reason is news. */
  set(key: ObjectKey, { state, reason }: Pick<Hold, 'state' | 'reason'>, nowMs: number): boolean {
    const known = this.#holds.get(key);
    const isNews = known?.reason !== reason;
    // A map keeps the place of a key that is set again; the order here is that of `sinceMs`.
    if (isNews) this.#holds.delete(key);
    this.#holds.set(key, { state, reason, sinceMs: isNews ? nowMs : known.sinceMs });
    return isNews;
  }

  /** Notes that the key is as it should be. @returns the reason that is over, if there was one. */
  clear(key: ObjectKey): string | undefined {
    const hold = this.#holds.get(key);
    this.#holds.delete(key);
    return hold?.reason;
  }

  /** How many keys are held for each reason. */
  counts(): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const { reason } of this.#holds.values()) counts[reason] = (counts[reason] ?? 0) + 1;
    return counts;
  }

  /** How many keys are held in each way for each reason, in no order. */
  tally(): HeldCount[] {
    const counts = new Map<string, HeldCount>();
    for (const { state, reason } of this.#holds.values()) {
      const name = `${state} ${reason}`;
      counts.set(name, { state, reason, count: (counts.get(name)?.count ?? 0) + 1 });
    }
    return [...counts.values()];
  }

  /** The held keys, oldest first, at most `limit`. */
  list(limit: number): ({ key: ObjectKey } & Hold)[] {
    return [...this.#holds].slice(0, limit).map(([key, hold]) => ({ key, ...hold }));
  }
}
