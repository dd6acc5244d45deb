import type { Clock } from '#kube/clock.ts';
import type { Priority } from '#kube/gate.ts';

/** Keys come due in steps of this many milliseconds, so that ten thousand waiting keys need one timer and not ten thousand. */
const STEP_MS = 25;

type Due = { step: number; priority: Priority };

/** Keys that are to be queued later. The earliest time asked for wins. */
export class DelayedKeys {
  readonly #clock: Clock;
  readonly #release: (key: string, priority: Priority) => void;
  readonly #due = new Map<string, Due>();
  readonly #steps = new Map<number, Set<string>>();
  #timer: { step: number; cancel: AbortController } | undefined;

  constructor(clock: Clock, release: (key: string, priority: Priority) => void) {
    this.#clock = clock;
    this.#release = release;
  }

  /** Releases the key after `ms`, unless it is due earlier already. */
  add(key: string, ms: number, priority: Priority): void {
    const step = Math.ceil((this.#clock.monotonicMs() + ms) / STEP_MS);
    const known = this.#due.get(key);
    if (known !== undefined && known.step <= step) return;
    this.cancel(key);
    this.#due.set(key, { step, priority });
    const keys = this.#steps.get(step) ?? new Set();
    this.#steps.set(step, keys.add(key));
    if (this.#timer === undefined || step < this.#timer.step) this.#arm();
  }

  /** Forgets the key. */
  cancel(key: string): void {
    const due = this.#due.get(key);
    if (due === undefined) return;
    this.#due.delete(key);
    const keys = this.#steps.get(due.step);
    keys?.delete(key);
    if (keys?.size === 0) this.#steps.delete(due.step);
  }

  /** Forgets every key and stops the timer. */
  close(): void {
    this.#due.clear();
    this.#steps.clear();
    this.#arm();
  }

  #arm(): void {
    this.#timer?.cancel.abort();
    this.#timer = undefined;
    if (this.#steps.size === 0) return;
    const step = this.#earliest();
    const cancel = new AbortController();
    this.#timer = { step, cancel };
    void this.#clock.sleep(Math.max(0, step * STEP_MS - this.#clock.monotonicMs()), cancel.signal).then(() => {
      if (!cancel.signal.aborted) this.#fire();
    });
  }

  #earliest(): number {
    let earliest = Infinity;
    for (const step of this.#steps.keys()) earliest = Math.min(earliest, step);
    return earliest;
  }

  #fire(): void {
    const now = this.#clock.monotonicMs() / STEP_MS;
    const ready = [...this.#due].filter(([, due]) => due.step <= now);
    for (const [key, due] of ready) {
      this.cancel(key);
      this.#release(key, due.priority);
    }
    this.#arm();
  }
}
