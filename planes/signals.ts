/** How everything is ended: in order, and in the last moment. */
export type Ending = {
  stop: () => Promise<void>;
  killNow: () => void;
  /** False leaves the signals to the caller; the last moment is always ours. */
  own: boolean;
};

/** Exit codes are 128 and the signal's number, as shells have it. */
const SIGNALS = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const;

/**
 * Sees to it that no child outlives this process, short of SIGKILL: on a signal everything is stopped in order and the process exits,
 * on a second one, or any other exit, everything is killed. Returns a function that takes this back.
 */
export function stopOnSignals({ stop, killNow, own }: Ending): () => void {
  let stopping = false;
  const handlers = Object.entries(SIGNALS).map(([signal, number]) => {
    const exit = () => process.exit(128 + number);
    const handler = () => {
      if (stopping) exit();
      stopping = true;
      void stop().finally(exit);
    };
    return { signal, handler };
  });
  process.once('exit', killNow);
  if (own) for (const { signal, handler } of handlers) process.on(signal, handler);
  return () => {
    process.off('exit', killNow);
    for (const { signal, handler } of handlers) process.off(signal, handler);
  };
}
