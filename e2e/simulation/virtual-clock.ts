import { sleepOn, type Timers } from '#e2e/simulation/timers.ts';

type Timer = { atMs: number; order: number; call: (() => void) | undefined };

/** Where the wall clock of every run begins. */
const EPOCH_MS = Date.UTC(2030, 0, 1);

/** Somebody who waits for nothing again and again would go on for ever. */
const STANDSTILL = 100_000;

/**
 * Time that passes only when nothing is left to do, and then jumps to the next timer. With everything else made of promises,
 * what happens is a function of the order in which timers were set: the same run each time.
 */
export class VirtualClock implements Timers {
  readonly #heap: Timer[] = [];
  #nowMs = 0;
  #wallOffsetMs = 0;
  #order = 0;
  /** Calls at this very moment. */
  #calls = 0;

  monotonicMs(): number {
    return this.#nowMs;
  }

  wallMs(): number {
    return EPOCH_MS + this.#nowMs + this.#wallOffsetMs;
  }

  /** Moves what people read, and nothing else. */
  jumpWall(ms: number): void {
    this.#wallOffsetMs += ms;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return sleepOn(this, ms, signal);
  }

  after(ms: number, call: () => void): () => void {
    this.#order += 1;
    const timer: Timer = { atMs: this.#nowMs + Math.max(0, ms), order: this.#order, call };
    push(this.#heap, timer);
    return () => void (timer.call = undefined);
  }

  /** Lets `ms` pass: each timer in its order, and all that follows from it before the next. */
  async advance(ms: number): Promise<void> {
    const untilMs = this.#nowMs + ms;
    await settle();
    for (let next = this.#heap[0]; next !== undefined && next.atMs <= untilMs; next = this.#heap[0]) {
      pop(this.#heap);
      if (next.call === undefined) continue;
      this.#calls = next.atMs > this.#nowMs ? 0 : this.#calls + 1;
      if (this.#calls > STANDSTILL) throw new Error(`Time stands still at ${next.atMs} ms`);
      this.#nowMs = next.atMs;
      next.call();
      await settle();
    }
    this.#nowMs = untilMs;
  }
}

/** Returns when no promise is left that could be settled: an immediate runs only after all of them. */
function settle(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}

function isBefore(one: Timer | undefined, other: Timer | undefined): boolean {
  if (one === undefined || other === undefined) return one !== undefined;
  return one.atMs === other.atMs ? one.order < other.order : one.atMs < other.atMs;
}

function push(heap: Timer[], timer: Timer): void {
  let at = heap.length;
  heap.push(timer);
  for (let parent = (at - 1) >> 1; at > 0 && isBefore(heap[at], heap[parent]); parent = (at - 1) >> 1) {
    swap(heap, at, parent);
    at = parent;
  }
}

function pop(heap: Timer[]): void {
  const last = heap.pop();
  if (last === undefined || heap.length === 0) return;
  heap[0] = last;
  for (let at = 0; ; ) {
    const child = isBefore(heap[2 * at + 2], heap[2 * at + 1]) ? 2 * at + 2 : 2 * at + 1;
    if (!isBefore(heap[child], heap[at])) return;
    swap(heap, at, child);
    at = child;
  }
}

function swap(heap: Timer[], one: number, other: number): void {
  const [left, right] = [heap[one], heap[other]];
  if (left === undefined || right === undefined) return;
  heap[one] = right;
  heap[other] = left;
}
