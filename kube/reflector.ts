import type { KubeObject } from '#api/objects.ts';
import type { Resource } from '#api/resources.ts';
import { backoffMs } from '#kube/backoff.ts';
import type { Client } from '#kube/client.ts';
import { ApiError, isApiError } from '#kube/errors.ts';
import { FailureLog } from '#kube/failure-log.ts';
import type { Log } from '#kube/log.ts';
import { Observation } from '#kube/observation.ts';
import { guarded } from '#kube/reflector-handler.ts';
import type { ReflectorHandler } from '#kube/reflector-handler.ts';

/** What a reflector observes, and for whom. */
export type ReflectorOptions<T extends KubeObject> = {
  client: Client;
  resource: Resource;
  namespace?: string | undefined;
  labelSelector?: string | undefined;
  handler: ReflectorHandler<T>;
  log: Log;
  /** Longest silence on a watch, see `watchEvents`. */
  idleMs?: number | undefined;
  /**
   * After about this long a complete list comes again though the watch seems well: an event that was never sent is made good by it.
   * It begins with an event or bookmark, or where a watch ends, so it may be a minute late. Default: never.
   */
  relistMs?: number | undefined;
  /** The newest version that an earlier reflector of the same collection was shown: the server may have gone back since. */
  newestVersion?: string | undefined;
  /** Longest wait for the next event of a streamed list or its end bookmark; five times that for all of it. Default 60 s. */
  initialListTimeoutMs?: number | undefined;
};

/** How closely a reflector follows its server; what is left out has the defaults of its options. */
export type ReflectorPace = Pick<ReflectorOptions<KubeObject>, 'idleMs' | 'relistMs'>;

/** How an observation stands. */
export type ReflectorState = {
  phase: 'listing' | 'watching' | 'waiting';
  /** At least one complete list was seen in this epoch. */
  complete: boolean;
  /** When the server last said anything, by the client's monotonic clock. */
  lastContactMs: number | undefined;
  /** The last failure; undefined while it works. */
  error: unknown;
  /** Counts from 1; one more each time the server went back to an older state. */
  epoch: number;
};

/**
 * Observes one collection of one API server for as long as it runs, whatever the server does, and tells a handler.
 * Keeps no objects: who is told compares. Lists completely once, then watches, and resumes where a watch was cut; a complete list comes
 * again when the server has forgotten that place, went back, or answered nonsense, and otherwise only where `relistMs` asks for it.
 */
export class Reflector<T extends KubeObject> {
  readonly #client: Client;
  readonly #handler: Required<ReflectorHandler<T>>;
  readonly #failures: FailureLog;
  readonly #observation: Observation<T>;
  #handlerFaults = 0;
  #waiting = false;
  /** Failed attempts in a row. */
  #attempt = 0;

  constructor(options: ReflectorOptions<T>) {
    this.#client = options.client;
    const log = options.log.child({ cluster: options.client.cluster, kind: options.resource.kind });
    this.#failures = new FailureLog(log);
    this.#handler = guarded(options.handler, (error) => {
      this.#handlerFaults += 1;
      log.error({ err: error }, 'Fault while taking an observation');
    });
    this.#observation = new Observation({ ...options, log, handler: this.#handler, worked: () => this.#failures.worked() });
  }

  get state(): ReflectorState {
    const { phase, complete, lastContactMs, epoch } = this.#observation;
    return { phase: this.#waiting ? 'waiting' : phase, complete, lastContactMs, error: this.#failures.error, epoch };
  }

  /** The newest version of the collection that the server has shown in this epoch; undefined before the first. */
  get newestVersion(): string | undefined {
    return this.#observation.newestVersion;
  }

  /** Calls of the handler that threw. */
  get handlerFaults(): number {
    return this.#handlerFaults;
  }

  /** Resolves only after the signal has aborted, and never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await this.#observation.run(signal);
        await this.#pause(signal, undefined);
      } catch (error) {
        if (!signal.aborted) await this.#pause(signal, error);
      }
    }
  }

  async #pause(signal: AbortSignal, error: unknown): Promise<void> {
    if (this.#observation.stretchMs >= GOOD_STRETCH_MS) this.#attempt = 0;
    // Every watch ends some time; after a good stretch that is no reason to wait.
    if (error === undefined && this.#attempt === 0) {
      this.#attempt = 1;
      return;
    }
    const delayMs = this.#delayMs(error);
    this.#attempt += 1;
    if (!isOrdinary(error)) {
      this.#failures.failed(error, delayMs);
      this.#handler.failed(error);
    }
    this.#waiting = true;
    await this.#client.clock.sleep(delayMs, signal);
    this.#waiting = false;
  }

  #delayMs(error: unknown): number {
    const asked = error instanceof ApiError ? (error.retryAfterMs ?? 0) : 0;
    // Spread beyond what was asked as well: every client of that server was told the same.
    return asked + backoffMs(this.#attempt, this.#client.random, BACKOFF);
  }
}

/** A watch that lasted this long shows that the server is well, and the next failure starts the backoff anew. */
const GOOD_STRETCH_MS = 10_000;
/** The cap bounds how late a server that came back is noticed; below it, a server that is down is asked about twelve times a minute. */
const BACKOFF = { baseMs: 500, capMs: 10_000 };

/** Ends that belong to the life of a watch: nothing is reported unless what follows fails too. */
function isOrdinary(error: unknown): boolean {
  return error === undefined || isApiError(error, 'Expired');
}
