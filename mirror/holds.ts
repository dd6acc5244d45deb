import type { ObjectKey } from '#mirror/object-key.ts';

/** A key that is not as its source calls for, or whose source is passed over, and why. */
export type Hold = { reason: string; sinceMs: number };

/** What stands open in one mirror: no key is ever in an unwanted state without a reason that can be read here. */
export class Holds {
  readonly #holds = new Map<ObjectKey, Hold>();

  /** Notes why the key is held. @returns true when that is news. */
  set(key: ObjectKey, reason: string, nowMs: number): boolean {
    if (this.#holds.get(key)?.reason === reason) return false;
    // A map keeps the place of a key that is set again; the order here is that of `sinceMs`.
    this.#holds.delete(key);
    this.#holds.set(key, { reason, sinceMs: nowMs });
    return true;
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

  /** The held keys, oldest first, at most `limit`. */
  list(limit: number): { key: ObjectKey; reason: string; sinceMs: number }[] {
    return [...this.#holds].slice(0, limit).map(([key, hold]) => ({ key, ...hold }));
  }
}
