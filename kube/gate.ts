import PQueue from 'p-queue';
import type { Clock } from '#kube/clock.ts';

/** How urgent a request is: a change just seen, a difference found later, a pass over everything. */
export type Priority = 'live' | 'repair' | 'sweep';

const RANK: Record<Priority, number> = { live: 2, repair: 1, sweep: 0 };

/**
 * Bounds the requests under way at one API server, the most urgent first, and holds all of them back while the server asks for it.
 * After a hold one request goes alone, and the others follow once it has been answered: otherwise every hold would end in a burst.
 */
export class Gate {
  readonly #clock: Clock;
  readonly #concurrency: number;
  readonly #queue: PQueue;
  #heldUntilMs = 0;
  /** Ends the wait for the end of a hold; undefined while nobody waits for it. */
  #waiting: AbortController | undefined;
  /** Counts the holds: a request begun before one says nothing about the server after it. */
  #holds = 0;

  constructor(options: { concurrency: number; clock: Clock }) {
    this.#clock = options.clock;
    this.#concurrency = options.concurrency;
    this.#queue = new PQueue({ concurrency: options.concurrency });
    // A hold that nobody waits for any more must not keep the process alive.
    this.#queue.addEventListener('next', () => {
      if (this.#queue.size === 0) this.#waiting?.abort();
    });
  }

  /** How many requests wait for their turn; those under way are not counted. */
  get pending(): number {
    return this.#queue.size;
  }

  /**
   * Runs the task when its turn comes, and answers with its result.
   * Rejects with the signal's reason as soon as that aborts, waiting or running; the task must watch the signal itself.
   */
  run<T>(priority: Priority, signal: AbortSignal, task: () => Promise<T>): Promise<T> {
    const result = this.#queue.add(() => this.#begin(task), { priority: RANK[priority], signal });
    void this.#waitForRelease();
    return result;
  }

  /** Starts nothing for `ms` from now. A shorter hold never cuts a longer one; what is under way goes on. */
  holdFor(ms: number): void {
    this.#holds += 1;
    this.#heldUntilMs = Math.max(this.#heldUntilMs, this.#clock.monotonicMs() + ms);
    this.#queue.pause();
    void this.#waitForRelease();
  }

  async #begin<T>(task: () => Promise<T>): Promise<T> {
    const holds = this.#holds;
    try {
      return await task();
    } finally {
      if (holds === this.#holds) this.#queue.concurrency = this.#concurrency;
    }
  }

  async #waitForRelease(): Promise<void> {
    if (!this.#queue.isPaused || this.#queue.size === 0 || this.#waiting !== undefined) return;
    const { signal } = (this.#waiting = new AbortController());
    while (this.#leftMs() > 0 && !signal.aborted) await this.#clock.sleep(this.#leftMs(), signal);
    this.#waiting = undefined;
    if (this.#leftMs() > 0) return this.#waitForRelease();
    this.#queue.concurrency = 1;
    this.#queue.start();
  }

  #leftMs(): number {
    return this.#heldUntilMs - this.#clock.monotonicMs();
  }
}
