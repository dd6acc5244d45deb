import type { Clock } from '#kube/clock.ts';
import type { ExecConfig } from '#kube/exec-config.ts';
import { runExecPlugin } from '#kube/exec-credential.ts';
import type { Environment, ExecCredential } from '#kube/exec-credential.ts';
import type { Log } from '#kube/log.ts';

/** The credential of a program, made anew before it expires. */
export class ExecCredentials {
  readonly #run: () => Promise<ExecCredential>;
  readonly #clock: Clock;
  readonly #log: Log;
  #credential: ExecCredential | undefined;
  /** By the monotonic clock: from then on a new credential is asked for. */
  #dueMs = Number.NEGATIVE_INFINITY;
  #running: Promise<void> | undefined;
  #fault: unknown;

  constructor(options: { config: ExecConfig; environment: Environment; cluster: unknown; clock: Clock; log: Log }) {
    this.#run = () => runExecPlugin(options.config, options);
    this.#clock = options.clock;
    this.#log = options.log;
  }

  /**
   * The credential in use. One that is about to expire stays in use while no new one can be made: the server decides.
   * @throws {Error} only while there has never been one.
   */
  async get(): Promise<ExecCredential> {
    if (this.#clock.monotonicMs() >= this.#dueMs) await this.renew();
    if (this.#credential === undefined) throw this.#fault;
    return this.#credential;
  }

  /** Makes a new credential now, unless one is being made. Never throws: ask `get` afterwards. */
  async renew(): Promise<void> {
    this.#running ??= this.#make().finally(() => {
      this.#running = undefined;
    });
    await this.#running;
  }

  async #make(): Promise<void> {
    try {
      this.#credential = await this.#run();
      this.#dueMs = this.#clock.monotonicMs() + freshForMs(this.#credential, this.#clock.wallMs());
    } catch (error) {
      this.#fault = error;
      this.#dueMs = this.#clock.monotonicMs() + LEAST_MS;
      this.#log.warn({ err: error }, 'No new credential, the last one stays in use');
    }
  }
}

/** A program that answers with an expired credential, or a wall clock that is off, must not make it run for every request. */
const LEAST_MS = 5_000;
const MOST_MARGIN_MS = 60_000;

/** A quarter of the lifetime before the end, one minute at most: a request sent with it must still arrive in time. */
function freshForMs({ expiresMs }: ExecCredential, wallMs: number): number {
  if (expiresMs === undefined) return Number.POSITIVE_INFINITY;
  const lifetimeMs = expiresMs - wallMs;
  return Math.max(LEAST_MS, lifetimeMs - Math.min(MOST_MARGIN_MS, lifetimeMs / 4));
}
