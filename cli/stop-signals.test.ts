import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { createLog } from '#cli/logger.ts';
import { listenForStop } from '#cli/stop-signals.ts';

function listen() {
  const source = new EventEmitter();
  const stop = new AbortController();
  const left: number[] = [];
  const log = createLog('error', { write: () => undefined });
  const off = listenForStop({ source, stop, log, leave: (exitCode) => left.push(exitCode) });
  return { source, stop, left, off };
}

describe('a signal to stop', () => {
  it('stops in order the first time, and leaves at once with a failure the second', () => {
    for (const signals of [
      ['SIGTERM', 'SIGTERM'],
      ['SIGINT', 'SIGTERM'],
      ['SIGTERM', 'SIGINT'],
    ]) {
      const { source, stop, left } = listen();
      source.emit(signals[0] ?? '', signals[0]);
      assert.deepEqual([stop.signal.aborted, left], [true, []]);
      source.emit(signals[1] ?? '', signals[1]);
      assert.deepEqual(left, [1]);
    }
  });

  it('is not listened for any more once that is taken off', () => {
    const { source, off } = listen();
    off();
    assert.deepEqual([source.listenerCount('SIGTERM'), source.listenerCount('SIGINT')], [0, 0]);
  });
});
