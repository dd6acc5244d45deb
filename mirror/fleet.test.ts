import assert from 'node:assert/strict';
import { untilAborted } from '#kube/aborted.ts';
import { ManualClock, settle } from '#kube/testing/manual-clock.ts';
import { recordingLog } from '#kube/testing/scripted-client.ts';
import { Fleet } from '#mirror/fleet.ts';

type Plane = { name: string; kubeconfig?: string };

/** A fleet whose members end, after they were told to stop, only when the test lets them. */
function scene() {
  const told: string[] = [];
  const ends: (() => void)[] = [];
  const stop = new AbortController();
  const create = (plane: Plane) => ({
    plane,
    run: async (signal: AbortSignal) => {
      const name = plane.kubeconfig ?? plane.name;
      told.push(`+${name}`);
      await untilAborted(signal);
      told.push(`stop ${name}`);
      await new Promise<void>((resolve) => ends.push(resolve));
      told.push(`-${name}`);
    },
  });
  const fleet = new Fleet(create, { clock: new ManualClock(), log: recordingLog() });
  const end = async () => {
    for (const resolve of ends.splice(0)) resolve();
    await settle();
  };
  const set = async (...planes: Plane[]) => {
    fleet.set(planes);
    await settle();
  };
  return { told, fleet, stop, set, end };
}

describe('a fleet of planes', () => {
  it('works for the planes that were set before it ran, and for none before that', async () => {
    const { told, fleet, stop, set } = scene();
    await set({ name: 'a' }, { name: 'b' });
    assert.deepEqual(told, []);
    void fleet.run(stop.signal);
    await settle();
    assert.deepEqual(told, ['+a', '+b']);
  });

  it('stops a plane that left at once, and leaves the others alone', async () => {
    const { told, fleet, stop, set } = scene();
    void fleet.run(stop.signal);
    await set({ name: 'a' }, { name: 'b' });
    await set({ name: 'b' });
    assert.deepEqual(told, ['+a', '+b', 'stop a']);
  });

  it('starts a plane anew whose configuration changed, only after its old work has ended', async () => {
    const { told, fleet, stop, set, end } = scene();
    void fleet.run(stop.signal);
    await set({ name: 'a', kubeconfig: 'old' });
    await set({ name: 'a', kubeconfig: 'new' });
    assert.deepEqual(told, ['+old', 'stop old']);
    await end();
    assert.deepEqual(told, ['+old', 'stop old', '-old', '+new']);
  });

  it('changes nothing for a plane that is set as it was', async () => {
    const { told, fleet, stop, set } = scene();
    void fleet.run(stop.signal);
    await set({ name: 'a', kubeconfig: 'same' });
    await set({ kubeconfig: 'same', name: 'a' });
    assert.deepEqual(told, ['+same']);
  });

  it('works once, for the last of several configurations that came while the old work was ending', async () => {
    const { told, fleet, stop, set, end } = scene();
    void fleet.run(stop.signal);
    await set({ name: 'a', kubeconfig: 'one' });
    await set({ name: 'a', kubeconfig: 'two' });
    await set({ name: 'a', kubeconfig: 'three' });
    await end();
    await end();
    await end();
    assert.deepEqual(told.at(-1), '+three');
    assert.equal(running(told), 1);
  });

  it('works for a plane again that left and came back', async () => {
    const { told, fleet, stop, set, end } = scene();
    void fleet.run(stop.signal);
    await set({ name: 'a' });
    await set();
    await set({ name: 'a' });
    await end();
    assert.deepEqual(told, ['+a', 'stop a', '-a', '+a']);
    assert.equal(fleet.members.length, 1);
  });

  it('never has two runs for one plane, whatever comes in whatever order', async () => {
    const { told, fleet, stop, set, end } = scene();
    void fleet.run(stop.signal);
    for (const kubeconfig of ['1', '2', '', '3', '3', '', '', '4', '5']) {
      await (kubeconfig === '' ? set() : set({ name: 'a', kubeconfig }));
      if (Number(kubeconfig) % 2 === 0) await end();
      assert.ok(running(told) <= 1, told.join(' '));
    }
  });

  it('ends only when all work has ended, that of planes that left included', async () => {
    const { told, fleet, stop, set, end } = scene();
    const work = fleet.run(stop.signal).then(() => told.push('over'));
    await set({ name: 'left' }, { name: 'stays' });
    await set({ name: 'stays' });
    stop.abort();
    await settle();
    assert.deepEqual(told, ['+left', '+stays', 'stop left', 'stop stays']);
    await end();
    await work;
    assert.equal(told.at(-1), 'over');
  });

  it('starts nothing any more once it was told to end', async () => {
    const { told, fleet, stop, set } = scene();
    void fleet.run(stop.signal);
    stop.abort();
    await set({ name: 'a' });
    assert.deepEqual(told, []);
  });

  it('begins anew with a plane whose work failed in a way that nobody foresaw, and leaves the others alone', async () => {
    const clock = new ManualClock();
    const log = recordingLog();
    const runs: string[] = [];
    const run = (name: string) => async (signal: AbortSignal) => {
      runs.push(name);
      if (runs.filter((other) => other === 'faulty').length === 1 && name === 'faulty') throw new Error('nobody foresaw this');
      await untilAborted(signal);
    };
    const fleet = new Fleet(({ name }: Plane) => ({ run: run(name) }), { clock, log });
    const stop = new AbortController();
    fleet.set([{ name: 'faulty' }, { name: 'fine' }]);
    const running = fleet.run(stop.signal);
    await settle();
    assert.deepEqual(runs, ['faulty', 'fine']);
    await clock.advance(15_000);
    assert.deepEqual(runs, ['faulty', 'fine', 'faulty']);
    stop.abort();
    await running;
  });
});

function running(told: string[]): number {
  return told.filter((word) => word.startsWith('+')).length - told.filter((word) => word.startsWith('-')).length;
}
