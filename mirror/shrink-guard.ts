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

/**
 * One complete observation of a plane: how many sources it shows, how many copies the hub holds for it, and which of those it lacks.
 * `epoch`: the guard's, when the observation began; the present one where it is left out.
 */
export type CompleteObservation = { live: number; copies: number; absent: ReadonlySet<ObjectKey>; epoch?: number };

/** A source that is missing: since when, by the plane's monotonic clock, and in how many complete observations. */
export type Missing = { sinceMs: number; confirmed: number };

/**
 * What is frozen, for the record. `released` counts those of `missing` that may be withdrawn by now. `occasion` is another one each time
 * that something is frozen, and after a source of it was back: what was approved before says nothing of the same sources later.
 */
export type FrozenSet = { missing: ReadonlyMap<ObjectKey, Missing>; released: number; occasion: string };

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
  readonly #id: string;
  #occasion = 0;
  #frozen = false;
  #distrustful = false;
  #epoch = 0;
  #pinned = false;

  /** `id`: what no other guard has, so that no occasion of another one is taken for one of this. */
  constructor(settings: GuardSettings = DEFAULT_GUARD, id = '') {
    this.#settings = settings;
    this.#id = id;
    this.#burst = new DeletionBurst(settings.deletions);
  }

  /** What is frozen; undefined when nothing is. */
  get frozen(): FrozenSet | undefined {
    if (!this.#frozen) return undefined;
    return { missing: this.#missing, released: this.#released.size, occasion: `${this.#id}/${this.#occasion}` };
  }

  /**
   * True when a copy may be withdrawn on weak evidence. After an older state was shown, not before a complete observation has heard of the
   * copy: it may have come up since the last one, or that may have been of the state before.
   */
  permits(key: ObjectKey): boolean {
    return this.#released.has(key) || !(this.#frozen || this.#distrustful);
  }

  /**
   * True when a copy may be withdrawn whose source was seen to be deleted. Where too many were at once, it is not: then it is on record
   * with the frozen ones, and released as they are. `nowMs` is monotonic.
   */
  followsDeletion(key: ObjectKey, nowMs: number): boolean {
    if (this.#released.has(key) || this.#burst.follows(key, nowMs)) return true;
    this.#freeze();
    if (!this.#missing.has(key)) this.#missing.set(key, { sinceMs: nowMs, confirmed: 0 });
    return false;
  }

  /** The plane shows an older state than before: every absence needs its confirmations, however few they are. */
  distrust(): void {
    this.#distrustful = true;
    this.#epoch += 1;
  }

  /** True from the moment that an older state was shown until nothing is missing of it. */
  get distrustful(): boolean {
    return this.#distrustful;
  }

  /** One more each time that the plane showed an older state: an observation that began before may be of the newer one. */
  get epoch(): number {
    return this.#epoch;
  }

  /** Keeps a frozen set from being released by time, or lets it again. */
  pin(pinned: boolean): void {
    this.#pinned = pinned;
  }

  /** The source is there, as an event, a list or a live read shows it: should it go missing again, that is another absence, and waits anew. */
  returned(key: ObjectKey): void {
    if (!this.#missing.has(key)) return;
    this.#drop(key);
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

  /** Takes back what was released: another cluster may have answered when that was approved or confirmed. What was missing stays frozen. */
  takeBack(): void {
    this.#released.clear();
    this.#occasion += 1;
  }

  /** Takes a complete observation into account. `nowMs` is monotonic. */
  observe({ live, copies, absent, epoch = this.#epoch }: CompleteObservation, nowMs: number): void {
    const sudden = absent.size > this.#settings.believedAbsent && live < copies * SHARE;
    const doubted = this.#distrustful && absent.size > 0;
    this.#distrustful &&= absent.size > 0 || epoch !== this.#epoch;
    this.#burst.retain(absent);
    if (!(sudden || doubted || this.#burst.lasts)) return this.#thaw();
    this.#freeze();
    for (const key of this.#missing.keys()) if (!absent.has(key)) this.#drop(key);
    for (const key of absent) this.#confirm(key, nowMs);
  }

  #freeze(): void {
    if (!this.#frozen) this.#occasion += 1;
    this.#frozen = true;
  }

  #thaw(): void {
    this.#frozen = false;
    this.#missing.clear();
    this.#released.clear();
  }

  #drop(key: ObjectKey): void {
    this.#missing.delete(key);
    this.#released.delete(key);
    this.#occasion += 1;
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
