import type { Clock } from '#kube/clock.ts';
import type { Priority } from '#kube/gate.ts';
import { DelayedKeys } from '#mirror/delayed-keys.ts';
import { Fifo } from '#mirror/fifo.ts';

/** Highest first. A key that is waiting in a lower lane and is added to a higher one moves up. */
const LANES: readonly Priority[] = ['live', 'repair', 'sweep'];

/** A key handed to a worker, with the lane it came from. */
export type QueuedKey = { key: string; priority: Priority };

/**
 * A keyed queue with three lanes, in the manner of client-go's workqueue: a key waits at most once, is never worked on twice
 * at the same time, and a key added while it is worked on comes again afterwards. First in, first out within a lane.
 */
export class Workqueue {
  readonly #lanes = new Map<Priority, Fifo>(LANES.map((lane) => [lane, new Fifo()]));
  /** Every waiting key with the highest lane asked for. An entry in a lane that disagrees with it is stale and skipped. */
  readonly #waiting = new Map<string, Priority>();
  readonly #underWay = new Map<string, Priority>();
  /** Keys added while under way, to be queued when they are done. */
  readonly #again = new Map<string, Priority>();
  readonly #delayed: DelayedKeys;
  #wakers: (() => void)[] = [];

  constructor(clock: Clock) {
    this.#delayed = new DelayedKeys(clock, (key, priority) => this.add(key, priority));
  }

  /** Keys that wait for a worker now. */
  get depth(): number {
    return this.#waiting.size;
  }

  /** True when nothing waits and nothing is under way; keys that are delayed do not count. */
  get idle(): boolean {
    return this.#waiting.size === 0 && this.#underWay.size === 0;
  }

  /** Makes the key wait for a worker, at once. Takes the place of any delay that it had. */
  add(key: string, priority: Priority): void {
    this.#delayed.cancel(key);
    const before = this.#underWay.has(key) ? this.#again : this.#waiting;
    const known = before.get(key);
    if (known !== undefined && LANES.indexOf(known) <= LANES.indexOf(priority)) return;
    before.set(key, priority);
    if (before === this.#waiting) this.#push(key, priority);
  }

  /** Makes the key wait for a worker after `ms`. A key that already waits is left where it is. */
  addAfter(key: string, ms: number, priority: Priority): void {
    if (this.#waiting.has(key) || this.#again.has(key)) return;
    this.#delayed.add(key, ms, priority);
  }

  /** The next key, once there is one; undefined once the signal has aborted. The caller must call `done` with it. */
  async next(signal: AbortSignal): Promise<QueuedKey | undefined> {
    while (!signal.aborted) {
      const taken = this.#take();
      if (taken) return taken;
      await this.#added(signal);
    }
    return undefined;
  }

  /** Ends the work on a key, and queues it again when it was added meanwhile. */
  done(key: string): void {
    this.#underWay.delete(key);
    const priority = this.#again.get(key);
    this.#again.delete(key);
    if (priority !== undefined) this.add(key, priority);
    else if (this.#waiting.size > 0) this.#wakeAll();
  }

  /** Drops every delay, so that no timer outlives the queue's owner. */
  close(): void {
    this.#delayed.close();
  }

  /** Sweeps withdraw on weak evidence, and publishing goes before that: it must have ended, not just begun (contract section 5). */
  get #publishing(): boolean {
    for (const priority of this.#underWay.values()) if (priority !== 'sweep') return true;
    return false;
  }

  #push(key: string, priority: Priority): void {
    this.#lanes.get(priority)?.push(key);
    this.#wakers.shift()?.();
  }

  #wakeAll(): void {
    for (const wake of this.#wakers.splice(0)) wake();
  }

  #take(): QueuedKey | undefined {
    for (const priority of LANES) {
      if (priority === 'sweep' && this.#publishing) return undefined;
      const key = this.#lanes.get(priority)?.take((waiting) => this.#waiting.get(waiting) === priority);
      if (key === undefined) continue;
      this.#waiting.delete(key);
      this.#underWay.set(key, priority);
      return { key, priority };
    }
    return undefined;
  }

  #added(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        signal.removeEventListener('abort', wake);
        this.#wakers = this.#wakers.filter((other) => other !== wake);
        resolve();
      };
      signal.addEventListener('abort', wake);
      this.#wakers.push(wake);
    });
  }
}
