import { backoffMs } from '#kube/backoff.ts';
import type { Clock } from '#kube/clock.ts';
import type { Log, LogFields } from '#kube/log.ts';

/** First delay, doubled each time, and the longest: how late something that became right is noticed. */
const BACKOFF = { baseMs: 500, capMs: 15_000 };

/** How to try, and what to say: `fields` go into every line. `backoff` in milliseconds; from half a second to 15 s by default. */
export type RetryOptions = {
  signal: AbortSignal;
  log: Log;
  clock: Clock;
  random: () => number;
  fields?: LogFields;
  backoff?: { baseMs: number; capMs: number };
  /** Called with each failure. */
  failed?: ((error: unknown) => void) | undefined;
};

/**
 * The task's result, however often it must be tried; undefined when the signal aborted first. Never rejects for what it throws.
 * The first failure is logged under `message` as a warning, as is every later one whose text differs; the rest for debugging.
 */
export async function retry<T>(message: string, task: () => Promise<T>, options: RetryOptions): Promise<T | undefined> {
  const { signal, log, clock, random, fields, backoff = BACKOFF, failed } = options;
  let told: string | undefined;
  for (let attempt = 0; !signal.aborted; attempt += 1) {
    try {
      return await task();
    } catch (error) {
      if (signal.aborted) return undefined;
      failed?.(error);
      const delayMs = Math.round(backoffMs(attempt, random, backoff));
      const text = String(error);
      log[text === told ? 'debug' : 'warn']({ ...fields, attempt, delayMs, err: error }, message);
      told = text;
      await clock.sleep(delayMs, signal);
    }
  }
  return undefined;
}
