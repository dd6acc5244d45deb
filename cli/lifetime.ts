import { EXIT } from '#cli/exit-codes.ts';
import { untilAborted } from '#kube/aborted.ts';
import type { Clock } from '#kube/clock.ts';
import type { Log } from '#kube/log.ts';

/** Milliseconds that work in flight has to end after a stop. Kubernetes kills a pod after 30 s: stay well below. */
export const FINISH_MS = 10_000;

/** What `liveUntilStopped` needs. `work` ends soon after its signal has aborted, and never before. */
export type LifetimeOptions = { work: (signal: AbortSignal) => Promise<void>; stop: AbortSignal; clock: Clock; log: Log };

/** Runs the work until a stop, gives it `FINISH_MS` to finish what is under way, and answers with the exit code. */
export async function liveUntilStopped({ work, stop, clock, log }: LifetimeOptions): Promise<number> {
  const finished = new AbortController();
  const working = work(stop).then(
    () => (stop.aborted ? ({ end: 'finished' } as const) : ({ end: 'ended early' } as const)),
    (err: unknown) => ({ end: 'failed', err }) as const,
  );
  const outcome = await Promise.race([working, cutOff(stop, clock, finished.signal)]);
  finished.abort();
  switch (outcome.end) {
    case 'finished':
      log.info({}, 'Stopped: everything under way was finished');
      return EXIT.ok;
    case 'cut off':
      log.error({ durationMs: FINISH_MS }, 'Stopped before everything under way was finished');
      return EXIT.failure;
    case 'failed':
      log.error({ err: outcome.err }, 'Failed: leaving');
      return EXIT.failure;
    case 'ended early':
      log.error({}, 'The work ended without being told to: leaving');
      return EXIT.failure;
  }
}

/** Resolves `FINISH_MS` after the stop; soon, and to no effect, once the work has finished. */
async function cutOff(stop: AbortSignal, clock: Clock, finished: AbortSignal): Promise<{ end: 'cut off' }> {
  await Promise.race([untilAborted(stop), untilAborted(finished)]);
  await clock.sleep(FINISH_MS, finished);
  return { end: 'cut off' };
}
