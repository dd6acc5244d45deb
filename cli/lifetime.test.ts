import assert from 'node:assert/strict';
import { FINISH_MS, liveUntilStopped } from '#cli/lifetime.ts';
import { createLog } from '#cli/logger.ts';
import { systemClock } from '#kube/clock.ts';

const log = createLog('error', { write: () => undefined });

/** Ends as soon as it is told to. */
const obedient = (signal: AbortSignal) => new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
const never = () => new Promise<void>(() => undefined);

describe('a lifetime', () => {
  it('ends well when the work ends after the stop', async () => {
    const stop = new AbortController();
    const living = liveUntilStopped({ work: obedient, stop: stop.signal, clock: systemClock, log });
    stop.abort();
    assert.equal(await living, 0);
  });

  it('is cut off, as a failure, when the work does not end in time', async () => {
    const stop = new AbortController();
    const slept: number[] = [];
    const clock = { ...systemClock, sleep: async (ms: number) => void slept.push(ms) };
    const living = liveUntilStopped({ work: never, stop: stop.signal, clock, log });
    assert.deepEqual(slept, []);
    stop.abort();
    assert.equal(await living, 1);
    assert.deepEqual(slept, [FINISH_MS]);
  });

  it('fails when the work fails, or ends by itself', async () => {
    const stop = new AbortController().signal;
    assert.equal(await liveUntilStopped({ work: () => Promise.reject(new Error('broken')), stop, clock: systemClock, log }), 1);
    assert.equal(await liveUntilStopped({ work: async () => undefined, stop, clock: systemClock, log }), 1);
  });
});
