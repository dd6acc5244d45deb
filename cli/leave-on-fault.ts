import type { Log } from '#kube/log.ts';

/** The part of `process` that is used here. */
export type FaultSource = {
  on(event: 'uncaughtException' | 'unhandledRejection', listener: (error: unknown) => void): unknown;
  off(event: 'uncaughtException' | 'unhandledRejection', listener: (error: unknown) => void): unknown;
};

/**
 * Leaves with a log line at an error that nothing caught: what is true in memory is not known any more, and a new start reads
 * everything anew. Gives back what takes the listeners off again.
 */
export function leaveOnFault({ source, log, leave }: { source: FaultSource; log: Log; leave: (exitCode: number) => void }): () => void {
  const onFault = (err: unknown) => {
    log.error({ err }, 'Fault that nothing caught: leaving');
    leave(1);
  };
  source.on('uncaughtException', onFault);
  source.on('unhandledRejection', onFault);
  return () => {
    source.off('uncaughtException', onFault);
    source.off('unhandledRejection', onFault);
  };
}
