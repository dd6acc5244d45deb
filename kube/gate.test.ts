import assert from 'node:assert/strict';
import { Gate } from '#kube/gate.ts';
import type { Priority } from '#kube/gate.ts';
import { ManualClock, settle } from '#kube/testing/manual-clock.ts';

const never = new AbortController().signal;

/** A gate whose tasks only end when told to. */
function scene(concurrency: number) {
  const clock = new ManualClock();
  const gate = new Gate({ concurrency, clock });
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const run = (name: string, priority: Priority = 'live', signal = never) =>
    gate.run(priority, signal, () => {
      begun.push(name);
      return new Promise<string>((resolve) => {
        ends.set(name, () => resolve(name));
      });
    });
  const end = async (name: string) => {
    ends.get(name)?.();
    await settle();
  };
  return { clock, gate, begun, run, end };
}

describe('a gate', () => {
  it('lets live through before repair before sweep, whatever came first', async () => {
    const { begun, run, end } = scene(1);
    void run('first');
    void run('sweep', 'sweep');
    void run('repair', 'repair');
    void run('live', 'live');
    for (const name of ['first', 'live', 'repair', 'sweep']) await end(name);
    assert.deepEqual(begun, ['first', 'live', 'repair', 'sweep']);
  });

  it('has no more under way than it may, and counts those that wait', async () => {
    const { gate, begun, run, end } = scene(2);
    for (const name of ['a', 'b', 'c', 'd']) void run(name);
    await settle();
    assert.deepEqual(begun, ['a', 'b']);
    assert.equal(gate.pending, 2);
    await end('a');
    assert.deepEqual(begun, ['a', 'b', 'c']);
  });

  it('starts nothing while held, not even what was waiting before', async () => {
    const { clock, gate, begun, run, end } = scene(1);
    void run('a');
    void run('waiting');
    gate.holdFor(5_000);
    void run('later');
    await end('a');
    await clock.advance(4_999);
    assert.deepEqual(begun, ['a']);
    await clock.advance(1);
    assert.deepEqual(begun, ['a', 'waiting']);
  });

  it('sends one request alone after a hold, and the others once that was answered', async () => {
    const { clock, gate, begun, run, end } = scene(3);
    gate.holdFor(1_000);
    for (const name of ['a', 'b', 'c', 'd']) void run(name);
    await clock.advance(1_000);
    assert.deepEqual(begun, ['a']);
    await end('a');
    assert.deepEqual(begun, ['a', 'b', 'c', 'd']);
  });

  it('asks a server that keeps refusing once each time that its wait is over', async () => {
    const { clock, gate } = scene(8);
    let asked = 0;
    const refused = async () => {
      asked += 1;
      await Promise.resolve();
      gate.holdFor(5_000);
    };
    for (let request = 0; request < 100; request += 1) void gate.run('live', never, refused);
    await settle();
    const burst = asked;
    await clock.advance(30_000);
    assert.equal(burst, 8);
    assert.equal(asked - burst, 6);
  });

  it('is not released earlier by a shorter hold', async () => {
    const { clock, gate, begun, run } = scene(1);
    for (const ms of [1_000, 5_000, 2_000]) gate.holdFor(ms);
    void run('a');
    await clock.advance(4_999);
    assert.deepEqual(begun, []);
  });

  it('keeps no timer for a hold that nobody waits for, and holds all the same', async () => {
    const { clock, gate, begun, run } = scene(1);
    gate.holdFor(5_000);
    await settle();
    assert.equal(clock.sleepers, 0);
    const stop = new AbortController();
    const waiting = run('gives up', 'live', stop.signal);
    await settle();
    assert.equal(clock.sleepers, 1);
    stop.abort(new Error('enough'));
    await assert.rejects(waiting, { message: 'enough' });
    await settle();
    assert.equal(clock.sleepers, 0);
    void run('later');
    await clock.advance(4_999);
    assert.deepEqual(begun, []);
    await clock.advance(1);
    assert.deepEqual(begun, ['later']);
  });

  it('gives up a request whose signal aborts, waiting or running, and lets the next one in', async () => {
    const { begun, run } = scene(1);
    const stop = new AbortController();
    const running = run('running', 'live', stop.signal);
    const waiting = run('waiting', 'live', stop.signal);
    void run('next');
    await settle();
    const reason = new Error('enough');
    stop.abort(reason);
    await assert.rejects(running, reason);
    await assert.rejects(waiting, reason);
    await settle();
    assert.deepEqual(begun, ['running', 'next']);
  });
});
