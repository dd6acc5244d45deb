import type { Log } from '#kube/log.ts';

/** The part of `process` that is used here. */
export type SignalSource = {
  on(signal: 'SIGTERM' | 'SIGINT', listener: (signal: string) => void): unknown;
  off(signal: 'SIGTERM' | 'SIGINT', listener: (signal: string) => void): unknown;
};

/** What `listenForStop` needs. `leave` ends the process at once with that exit code. */
export type StopOptions = { source: SignalSource; stop: AbortController; log: Log; leave: (exitCode: number) => void };

/**
 * Aborts `stop` at the first SIGTERM or SIGINT, so that work in flight is finished; leaves at once at the second.
 * Gives back what takes the listeners off again.
 */
export function listenForStop({ source, stop, log, leave }: StopOptions): () => void {
  const onSignal = (signal: string) => {
    if (stop.signal.aborted) {
      log.warn({ reason: signal }, 'Told to stop again: leaving at once');
      leave(1);
      return;
    }
    log.info({ reason: signal }, 'Told to stop: finishing what is under way');
    stop.abort(new Error(signal));
  };
  source.on('SIGTERM', onSignal);
  source.on('SIGINT', onSignal);
  return () => {
    source.off('SIGTERM', onSignal);
    source.off('SIGINT', onSignal);
  };
}
