import { LRUCache } from 'lru-cache';
import type { KubeObject } from '#api/objects.ts';
import type { ObjectKey } from '#mirror/object-key.ts';

/** Objects held at most. At about 3 kB each this is 12 MB a plane; more of them saves live reads in a burst, nothing else. */
const MAX_OBJECTS = 4_000;

/**
 * The newest version of each source that is dirty, so that most reconciles need no read.
 * Losing an entry is harmless, the source is then read live; hence a cache is enough, and it never stands for an observation.
 */
export class DirtyBuffer<S extends KubeObject> {
  readonly #objects = new LRUCache<ObjectKey, S>({ max: MAX_OBJECTS });
  /** Sources that a live read proved absent not long ago. A watch that was cut and resumed may still tell how they were made. */
  readonly #gone = new LRUCache<ObjectKey, true>({ max: MAX_OBJECTS });

  /** Keeps the object until it is taken, replaced or pushed out; not where it may be older than the proof that it is gone. */
  put(key: ObjectKey, object: S): void {
    if (this.#gone.has(key)) this.#objects.delete(key);
    else this.#objects.set(key, object);
  }

  /** Notes what a live read found. */
  proven(key: ObjectKey, found: 'absent' | 'present'): void {
    if (found === 'present') return void this.#gone.delete(key);
    this.#gone.set(key, true);
    // What came while the read was under way may be older than its answer.
    this.drop(key);
  }

  /** Takes the object out. */
  take(key: ObjectKey): S | undefined {
    const object = this.#objects.get(key);
    this.#objects.delete(key);
    return object;
  }

  /** True when the object of this key waits here. */
  has(key: ObjectKey): boolean {
    return this.#objects.has(key);
  }

  /** Drops the object: it is known to be out of date. */
  drop(key: ObjectKey): void {
    this.#objects.delete(key);
  }
}
