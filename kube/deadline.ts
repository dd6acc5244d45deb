import type { Clock } from '#kube/clock.ts';

/**
 * Runs the task with a signal that aborts with the caller's signal, or after `ms` with the error that `late` makes.
 * Rejects then even if the task ignores its signal: a call that hangs must not hold its caller.
 */
export async function withDeadline<T>(
  options: { clock: Clock; ms: number; signal: AbortSignal; late: () => Error },
  task: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { clock, ms, signal, late } = options;
  const timer = new SilenceTimer({ clock, ms, signal, late });
  try {
    return await Promise.race([aborted(timer.signal), task(timer.signal)]);
  } finally {
    timer.stop();
  }
}

/**
 * Aborts its signal with the error that `late` makes once `ms` have passed since the last `touch` (at first: since it was made),
 * or at the latest `mostMs` after it was made. Also aborts with the caller's signal. Must be stopped in the end.
 */
export class SilenceTimer {
  readonly #clock: Clock;
  readonly #ms: number;
  readonly #endMs: number;
  readonly #caller: AbortSignal;
  readonly #controller = new AbortController();
  readonly #stopped = new AbortController();
  #touchedMs: number;

  constructor(options: { clock: Clock; ms: number; mostMs?: number; signal: AbortSignal; late: () => Error }) {
    this.#clock = options.clock;
    this.#ms = options.ms;
    this.#touchedMs = this.#clock.monotonicMs();
    this.#endMs = this.#touchedMs + (options.mostMs ?? Number.POSITIVE_INFINITY);
    this.#caller = options.signal;
    if (this.#caller.aborted) this.#forward();
    // Not AbortSignal.any(): it keeps memory on the caller's signal, which lives as long as the service.
    else this.#caller.addEventListener('abort', this.#forward, { once: true });
    void this.#run(options.late);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  touch(): void {
    this.#touchedMs = this.#clock.monotonicMs();
  }

  /** Nothing is late any more; the caller's signal is still passed on. */
  disarm(): void {
    this.#stopped.abort(UNSEEN);
  }

  /** Ends the timer without aborting. */
  stop(): void {
    this.#caller.removeEventListener('abort', this.#forward);
    this.disarm();
  }

  readonly #forward = () => {
    this.#controller.abort(this.#caller.reason);
    this.stop();
  };

  async #run(late: () => Error): Promise<void> {
    while (!this.#stopped.signal.aborted) {
      const leftMs = Math.min(this.#touchedMs + this.#ms, this.#endMs) - this.#clock.monotonicMs();
      if (leftMs > 0) await this.#clock.sleep(leftMs, this.#stopped.signal);
      else {
        this.#controller.abort(late());
        this.stop();
      }
    }
  }
}

/** Nobody reads this reason. Left out, it would be an exception with a stack of its own for each request. */
const UNSEEN = 'stopped';

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
