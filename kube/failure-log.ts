import { failureCode } from '#kube/errors.ts';
import type { Log } from '#kube/log.ts';

/** What is said when something fails, and when it works again. Constant, as every message. */
export type FailureMessages = { fails: string; works: string };

/** What a reflector says. */
const OBSERVING: FailureMessages = { fails: 'Cannot observe, trying again', works: 'Observing again' };

/** Says once that something fails and once that it works again, not at each attempt in between. */
export class FailureLog {
  readonly #log: Log;
  readonly #messages: FailureMessages;
  #error: unknown;
  #reason: string | undefined;

  constructor(log: Log, messages = OBSERVING) {
    this.#log = log;
    this.#messages = messages;
  }

  /** The last failure; undefined while it works. */
  get error(): unknown {
    return this.#error;
  }

  /** Notes a failure. `delayMs`: until the next attempt, where one is planned. */
  failed(error: unknown, delayMs?: number): void {
    const reason = failureCode(error);
    const level = reason === this.#reason ? 'debug' : 'warn';
    const delay = delayMs === undefined ? {} : { delayMs: Math.round(delayMs) };
    this.#log[level]({ reason, err: error, ...delay }, this.#messages.fails);
    this.#error = error;
    this.#reason = reason;
  }

  worked(): void {
    if (this.#reason !== undefined) this.#log.info({ reason: this.#reason }, this.#messages.works);
    this.#error = undefined;
    this.#reason = undefined;
  }
}
