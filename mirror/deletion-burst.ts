import type { ObjectKey } from '#mirror/object-key.ts';

/** So many deletions that were seen within `withinMs` are followed at once; more are held. */
export type BurstLimit = { count: number; withinMs: number };

/**
 * Counts the deletions that a plane shows, and stops believing them when too many come at once: the mistake of a script, say, which the
 * source truly carried out. From then on every further one is held until those held are approved, confirmed or undone.
 */
export class DeletionBurst {
  readonly #limit: BurstLimit | undefined;
  /** When each was followed last, oldest first. */
  readonly #followed = new Map<ObjectKey, number>();
  readonly #held = new Set<ObjectKey>();
  /** Were held, and may go by now. */
  readonly #released = new Set<ObjectKey>();

  /** Without a limit every deletion is followed. */
  constructor(limit?: BurstLimit) {
    this.#limit = limit;
  }

  /** True while there are copies whose deletion is held, or was and has not been followed yet. */
  get lasts(): boolean {
    return this.#held.size + this.#released.size > 0;
  }

  /** True when the deletion of this source may be followed now; else it is held from now on. `nowMs` is monotonic. */
  follows(key: ObjectKey, nowMs: number): boolean {
    if (this.#limit === undefined || this.#released.has(key)) return true;
    this.#forgetBefore(nowMs - this.#limit.withinMs);
    // A try that failed is not counted twice.
    const fits = this.#held.size === 0 && (this.#followed.has(key) || this.#followed.size < this.#limit.count);
    if (fits) this.#follow(key, nowMs);
    else this.#held.add(key);
    return fits;
  }

  /** Lets one go that is held. Once all are let go, later deletions are counted anew. */
  release(key: ObjectKey): void {
    if (this.#held.delete(key)) this.#released.add(key);
  }

  /** Forgets one whose source is there again. */
  forget(key: ObjectKey): void {
    this.#held.delete(key);
    this.#released.delete(key);
  }

  /** Forgets all but these: a complete observation lacks them and finds their copies. */
  retain(absent: ReadonlySet<ObjectKey>): void {
    for (const key of [...this.#held, ...this.#released]) if (!absent.has(key)) this.forget(key);
  }

  #follow(key: ObjectKey, nowMs: number): void {
    this.#followed.delete(key);
    this.#followed.set(key, nowMs);
  }

  #forgetBefore(ms: number): void {
    for (const [key, followedMs] of this.#followed) {
      if (followedMs > ms) return;
      this.#followed.delete(key);
    }
  }
}
