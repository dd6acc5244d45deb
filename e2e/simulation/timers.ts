import type { Clock } from '#kube/clock.ts';

/** A clock that can also call back, for what stands on the other side of the wire. */
export type Timers = Clock & {
  /** Calls once, `ms` from now. @returns how to call it off. */
  after(ms: number, call: () => void): () => void;
};

/** A sleep as `Clock` asks for it, made of `after`. */
export function sleepOn(timers: Pick<Timers, 'after'>, ms: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      cancel();
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const cancel = timers.after(ms, done);
    signal?.addEventListener('abort', done);
  });
}
