import { untilAborted } from '#kube/aborted.ts';
import type { Clock } from '#kube/clock.ts';
import { ApiError, isApiError, TerminalError, WaitingError } from '#kube/errors.ts';
import { backoffMs } from '#kube/backoff.ts';
import type { Log } from '#kube/log.ts';
import type { Priority } from '#kube/gate.ts';
import type { Holds } from '#mirror/holds.ts';
import type { MirrorLabels, MirrorMetrics } from '#mirror/metrics.ts';
import type { Outcome } from '#mirror/mirror-context.ts';
import type { ObjectKey } from '#mirror/object-key.ts';
import type { QueuedKey, Workqueue } from '#mirror/workqueue.ts';

/** First delay after a failure, doubled each time. */
const RETRY_BASE_MS = 200;
/** No key waits longer than this for its next try: the longest that a recovered server is left unused. */
const RETRY_CAP_MS = 30_000;
/** How long work in flight may go on after the controller was told to stop. Process managers allow 10 s more than that at least. */
const GRACE_MS = 8_000;

/** What a controller needs. */
export type ControllerOptions = {
  labels: MirrorLabels;
  queue: Workqueue;
  holds: Holds;
  /** Brings one key to rest. Throws to say that nothing could be concluded. */
  reconcile: (key: ObjectKey, options: { signal: AbortSignal; priority: Priority }) => Promise<Outcome>;
  concurrency: number;
  /** When waiting and refused keys are looked at again, give or take a fifth. */
  retryIntervalMs: number;
  clock: Clock;
  random: () => number;
  metrics: MirrorMetrics;
  log: Log;
};

/**
 * Takes keys from the queue and reconciles them. The one place that turns errors into log, metric, hold and requeue:
 * no key is ever dropped, only its delay is capped.
 */
export class Controller {
  readonly #options: ControllerOptions;
  readonly #attempts = new Map<ObjectKey, number>();
  #withdrawn = 0;

  constructor(options: ControllerOptions) {
    this.#options = options;
  }

  /** How many keys have been withdrawn so far. */
  get withdrawn(): number {
    return this.#withdrawn;
  }

  /** Works until the signal aborts; then takes no new key, and resolves when the work in flight has ended or its grace is over. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, concurrency } = this.#options;
    const abandon = new AbortController();
    const stopped = new AbortController();
    const grace = untilAborted(signal)
      .then(() => clock.sleep(GRACE_MS, stopped.signal))
      .then(() => abandon.abort());
    await Promise.all(Array.from({ length: concurrency }, () => this.#work(signal, abandon.signal)));
    stopped.abort();
    await grace;
  }

  async #work(signal: AbortSignal, abandon: AbortSignal): Promise<void> {
    const { queue } = this.#options;
    for (let next = await queue.next(signal); next !== undefined; next = await queue.next(signal)) {
      await this.#reconcile(next, abandon);
      queue.done(next.key);
    }
  }

  async #reconcile(next: QueuedKey, abandon: AbortSignal): Promise<void> {
    const { clock, labels, metrics, reconcile } = this.#options;
    const startedMs = clock.monotonicMs();
    try {
      const outcome = await reconcile(next.key, { signal: abandon, priority: next.priority });
      metrics.reconciled(labels, outcome.action, (clock.monotonicMs() - startedMs) / 1000);
      if (outcome.action === 'withdrawn') this.#withdrawn += 1;
      this.#settle(next, outcome);
    } catch (error) {
      if (!abandon.aborted) this.#fail(next, error);
    }
  }

  #settle({ key, priority }: QueuedKey, outcome: Outcome): void {
    const { queue, retryIntervalMs, random } = this.#options;
    if (outcome.requeue !== undefined) queue.add(key, outcome.requeue);
    this.#report(key, outcome);
    if (outcome.reason === 'CopyTerminating') return queue.addAfter(key, this.#backoff(key), priority);
    this.#attempts.delete(key);
    if (outcome.action === 'waiting' || outcome.action === 'refused')
      queue.addAfter(key, retryIntervalMs * (0.8 + 0.4 * random()), priority);
  }

  #report(key: ObjectKey, { action, reason = '', report }: Outcome): void {
    const { holds, clock, log } = this.#options;
    const fields = { name: key, action, reason };
    if (action === 'kept' || action === 'waiting' || action === 'refused') {
      if (!holds.set(key, { state: action, reason }, clock.wallMs())) return;
      if (report) log.warn(fields, 'A copy is held');
      else log.debug(fields, 'A copy is held');
      return;
    }
    holds.clear(key);
    if (action !== 'none') log.info(fields, 'A copy changed');
  }

  #fail({ key, priority }: QueuedKey, error: unknown): void {
    const { holds, queue, clock, log, labels, metrics, random } = this.#options;
    const { code, delayMs } = this.#classify(key, error);
    metrics.failed(labels, code);
    const fields = { name: key, reason: code, attempt: this.#attempts.get(key) ?? 0, err: error };
    const firstOfItsKind = !(code in holds.counts());
    holds.set(key, { state: needsSomebody(error) ? 'refused' : 'waiting', reason: code }, clock.wallMs());
    if (code === 'Fault') log.error(fields, 'A reconcile failed in a way that nobody foresaw');
    else if (firstOfItsKind) log.warn(fields, 'Reconciles fail');
    else log.debug(fields, 'A reconcile failed');
    queue.addAfter(key, Math.max(delayMs, random() * RETRY_BASE_MS), priority);
  }

  #classify(key: ObjectKey, error: unknown): { code: string; delayMs: number } {
    if (error instanceof WaitingError) return { code: error.code, delayMs: error.retryAfterMs };
    if (error instanceof TerminalError) return { code: error.code, delayMs: RETRY_CAP_MS };
    if (error instanceof ApiError) return { code: error.code, delayMs: Math.max(error.retryAfterMs ?? 0, this.#backoff(key)) };
    return { code: 'Fault', delayMs: this.#backoff(key) };
  }

  #backoff(key: ObjectKey): number {
    const attempt = this.#attempts.get(key) ?? 0;
    this.#attempts.set(key, attempt + 1);
    return backoffMs(attempt, this.#options.random, { baseMs: RETRY_BASE_MS, capMs: RETRY_CAP_MS });
  }
}

/** True for a failure that the same request will meet again: a missing right, or an object that the server does not accept. */
function needsSomebody(error: unknown): boolean {
  return error instanceof TerminalError || isApiError(error, 'Forbidden', 'Invalid');
}
