import type { Clock } from '#kube/clock.ts';

/** A clock that stands still until a test moves it on. */
export class ManualClock implements Clock {
  #nowMs = 0;
  #sleepers: { atMs: number; wake: () => void }[] = [];

  /** How many sleep. */
  get sleepers(): number {
    return this.#sleepers.length;
  }

  monotonicMs(): number {
    return this.#nowMs;
  }

  wallMs(): number {
    return Date.UTC(2030, 0, 1) + this.#nowMs;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (ms <= 0 || signal?.aborted) return turn();
    return new Promise((wake) => {
      this.#sleepers.push({ atMs: this.#nowMs + ms, wake });
      signal?.addEventListener('abort', () => this.#wake(wake), { once: true });
    });
  }

  /** Lets `ms` pass: everybody whose time comes wakes in order, and does what there is to do before the next one wakes. */
  async advance(ms: number): Promise<void> {
    const untilMs = this.#nowMs + ms;
    await settle();
    for (let next = this.#next(untilMs); next !== undefined; next = this.#next(untilMs)) {
      this.#nowMs = next.atMs;
      this.#wake(next.wake);
      await settle();
    }
    this.#nowMs = untilMs;
  }

  #next(untilMs: number): { atMs: number; wake: () => void } | undefined {
    const due = this.#sleepers.filter(({ atMs }) => atMs <= untilMs);
    return due.toSorted((one, other) => one.atMs - other.atMs)[0];
  }

  #wake(wake: () => void): void {
    this.#sleepers = this.#sleepers.filter((sleeper) => sleeper.wake !== wake);
    wake();
  }
}

/** Lets everything happen that waits for nothing but its turn. */
export async function settle(): Promise<void> {
  for (let turns = 0; turns < 10; turns += 1) await turn();
}

function turn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
