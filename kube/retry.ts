import { backoffMs } from '#kube/backoff.ts';
import { systemClock, type Clock } from '#kube/clock.ts';
import type { Log } from '#kube/log.ts';

/** First delay, doubled each time, and the longest: how late something that became right is noticed. */
const BACKOFF = { baseMs: 500, capMs: 15_000 };

/**
 * The task's result, however often it must be tried; undefined when the signal aborted first.
 * The first failure is logged under `message`, and every later one whose text differs.
 */
export async function retry<T>(
  message: string,
  task: () => Promise<T>,
  options: { signal: AbortSignal; log: Log; clock?: Clock; random?: () => number },
): Promise<T | undefined> {
  const { signal, log, clock = systemClock, random = Math.random } = options;
  let told = '';
  for (let attempt = 0; !signal.aborted; attempt += 1) {
    try {
      return await task();
    } catch (error) {
      const text = String(error);
      if (text !== told && !signal.aborted) log.warn({ err: error, attempt }, message);
      told = text;
      await clock.sleep(backoffMs(attempt, random, BACKOFF), signal);
    }
  }
  return undefined;
}
