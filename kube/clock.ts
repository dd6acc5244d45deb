/** Time as the service sees it; the only thing besides the transport that a test may replace. */
export type Clock = {
  /** Milliseconds that only grow, from an arbitrary start. Every deadline and expiry is judged by it, never by the wall clock. */
  monotonicMs(): number;
  /** Milliseconds since the epoch, for what people read. */
  wallMs(): number;
  /** Resolves after `ms`, at once when the signal aborts; `sleep(0)` lets the event loop turn. Never rejects: the caller looks at the signal. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
};

/** The machine's clock. */
export const systemClock: Clock = {
  monotonicMs: () => performance.now(),
  wallMs: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      // A timer of 0 takes 1 ms, which a long stream pays each time it lets others run.
      if (ms <= 0) return void setImmediate(resolve);
      const done = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      signal?.addEventListener('abort', done);
    }),
};
