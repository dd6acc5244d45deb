import { ApiError } from '#kube/errors.ts';
import type { Log } from '#kube/log.ts';

/** Says once that something fails and once that it works again, not at each attempt in between. */
export class FailureLog {
  readonly #log: Log;
  #error: unknown;
  #reason: string | undefined;

  constructor(log: Log) {
    this.#log = log;
  }

  /** The last failure; undefined while it works. */
  get error(): unknown {
    return this.#error;
  }

  failed(error: unknown, delayMs: number): void {
    const reason = error instanceof ApiError ? error.code : 'Fault';
    const level = reason === this.#reason ? 'debug' : 'warn';
    this.#log[level]({ reason, err: error, delayMs: Math.round(delayMs) }, 'Cannot observe, trying again');
    this.#error = error;
    this.#reason = reason;
  }

  worked(): void {
    if (this.#reason !== undefined) this.#log.info({ reason: this.#reason }, 'Observing again');
    this.#error = undefined;
    this.#reason = undefined;
  }
}
