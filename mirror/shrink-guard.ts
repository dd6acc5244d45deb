import { type BurstLimit, DeletionBurst } from '#mirror/deletion-burst.ts';
import type { ObjectKey } from '#mirror/object-key.ts';

/** When an absence is not believed at once, and when it is after all (contract section 5, "Shrink guard"). */
export type GuardSettings = {
  /** At most this many missing sources are always believed. Default 50. */
  believedAbsent: number;
  /** Complete observations that must have missed the same source. Default 3. */
  confirmations: number;
  /** Over at least this long; undefined: time alone never confirms. Default 30 minutes. */
  confirmAfterMs: number | undefined;
  /** How many deletions that were seen are followed at once. Default: all of them, since they are what the source says. */
  deletions?: BurstLimit | undefined;
};

/** The contract's defaults. */
export const DEFAULT_GUARD: GuardSettings = { believedAbsent: 50, confirmations: 3, confirmAfterMs: 30 * 60_000 };

/** One complete observation of a plane: how many sources it shows, how many copies the hub holds for it, and which of those it lacks. */
export type CompleteObservation = { live: number; copies: number; absent: ReadonlySet<ObjectKey> };

/** A source that is missing: since when, by the plane's monotonic clock, and in how many complete observations. */
export type Missing = { sinceMs: number; confirmed: number };

/** What is frozen, for the record. `released` counts those of `missing` that may be withdrawn by now. */
export type FrozenSet = { missing: ReadonlyMap<ObjectKey, Missing>; released: number };

/** Fewer than this share of a location's copies with a source is a sudden loss. */
const SHARE = 0.5;

/**
 * Does not believe at once that most of a location's sources are gone. While it doubts, weak withdrawals are frozen and
 * publishing goes on. The doubt ends when sources are back, and for each missing one when its absence has been confirmed
 * often enough for long enough, or when exactly the set on record is approved. So nothing wrong stays for ever, and no
 * single lie empties a location.
 */
export class ShrinkGuard {
  readonly #settings: GuardSettings;
  readonly #missing = new Map<ObjectKey, Missing>();
  readonly #released = new Set<ObjectKey>();
  readonly #burst: DeletionBurst;
  #frozen = false;
  #distrustful = false;
  #pinned = false;

  constructor(settings: GuardSettings = DEFAULT_GUARD) {
    this.#settings = settings;
    this.#burst = new DeletionBurst(settings.deletions);
  }

  /** What is frozen; undefined when nothing is. */
  get frozen(): FrozenSet | undefined {
    return this.#frozen ? { missing: this.#missing, released: this.#released.size } : undefined;
  }

  /** True when a copy may be withdrawn on weak evidence. */
  permits(key: ObjectKey): boolean {
    return !this.#frozen || this.#released.has(key);
  }

  /**
   * True when a copy may be withdrawn whose source was seen to be deleted. Where too many were at once, it is not: then it is on record
   * with the frozen ones, and released as they are. `nowMs` is monotonic.
   */
  followsDeletion(key: ObjectKey, nowMs: number): boolean {
    if (this.#released.has(key) || this.#burst.follows(key, nowMs)) return true;
    this.#frozen = true;
    if (!this.#missing.has(key)) this.#missing.set(key, { sinceMs: nowMs, confirmed: 0 });
    return false;
  }

  /** The plane shows an older state than before: every absence needs its confirmations, however few they are. */
  distrust(): void {
    this.#distrustful = true;
  }

  /** Keeps a frozen set from being released by time, or lets it again. */
  pin(pinned: boolean): void {
    this.#pinned = pinned;
  }

  /** The source is there, as an event or a list shows it: should it go missing again, that is another absence, and waits anew. */
  returned(key: ObjectKey): void {
    if (!this.#missing.delete(key)) return;
    this.#released.delete(key);
    this.#burst.forget(key);
    if (this.#missing.size === 0) this.#frozen = false;
  }

  /** Releases the frozen set, if it is exactly this one. @returns whether it was. */
  approve(keys: ReadonlySet<ObjectKey>): boolean {
    if (!this.#frozen || keys.size !== this.#missing.size) return false;
    for (const key of this.#missing.keys()) if (!keys.has(key)) return false;
    for (const key of keys) this.#release(key);
    return true;
  }

  /** Takes a complete observation into account. `nowMs` is monotonic. */
  observe({ live, copies, absent }: CompleteObservation, nowMs: number): void {
    const sudden = absent.size > this.#settings.believedAbsent && live < copies * SHARE;
    const doubted = this.#distrustful && absent.size > 0;
    this.#distrustful &&= absent.size > 0;
    this.#burst.retain(absent);
    this.#frozen = sudden || doubted || this.#burst.lasts;
    if (!this.#frozen) return this.#forget();
    this.#dropReturned(absent);
    for (const key of absent) this.#confirm(key, nowMs);
  }

  #forget(): void {
    this.#missing.clear();
    this.#released.clear();
  }

  #dropReturned(absent: ReadonlySet<ObjectKey>): void {
    for (const key of this.#missing.keys()) {
      if (absent.has(key)) continue;
      this.#missing.delete(key);
      this.#released.delete(key);
    }
  }

  #confirm(key: ObjectKey, nowMs: number): void {
    const before = this.#missing.get(key);
    const missing = { sinceMs: before?.sinceMs ?? nowMs, confirmed: (before?.confirmed ?? 0) + 1 };
    this.#missing.set(key, missing);
    const { confirmations, confirmAfterMs } = this.#settings;
    const longEnough = confirmAfterMs !== undefined && nowMs - missing.sinceMs >= confirmAfterMs;
    if (!this.#pinned && longEnough && missing.confirmed >= confirmations) this.#release(key);
  }

  #release(key: ObjectKey): void {
    this.#released.add(key);
    this.#burst.release(key);
  }
}
