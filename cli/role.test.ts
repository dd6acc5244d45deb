import assert from 'node:assert/strict';
import { InForce } from '#cli/in-force.ts';
import { Role } from '#cli/role.ts';
import { untilAborted } from '#kube/aborted.ts';

/** A role over an engine that notes what it is told. */
function play(first: string[]) {
  const told: string[] = [];
  const planes = new InForce<readonly string[]>(first);
  const stop = new AbortController();
  const role = new Role<string, number>(planes, {
    set: (now) => told.push(`set ${now.join()}`),
    run: async (signal) => {
      told.push('run');
      await untilAborted(signal);
      told.push('ended');
    },
    status: () => 7,
  });
  return { told, planes, stop, role, work: role.run(stop.signal) };
}

describe('a role', () => {
  it('works for the planes that it has, and stands as its engine does', async () => {
    const { told, stop, role, work } = play(['a']);
    assert.equal(role.status, 7);
    stop.abort();
    await work;
    assert.deepEqual(told, []);
    assert.equal(role.status, 7);
  });

  it('does nothing and has no standing without a plane', async () => {
    const { told, stop, role, work } = play([]);
    assert.equal(role.status, undefined);
    stop.abort();
    await work;
    assert.deepEqual(told, []);
  });

  it('begins with its first plane, whenever that comes, and goes on when the last has left', async () => {
    const { told, planes, stop, role, work } = play([]);
    planes.change(['a']);
    assert.equal(role.status, 7);
    await new Promise(setImmediate);
    planes.change([]);
    planes.change(['b']);
    assert.deepEqual(told, ['set a', 'run', 'set ', 'set b']);
    assert.equal(role.status, 7);
    stop.abort();
    await work;
    assert.deepEqual(told.slice(4), ['ended']);
  });

  it('begins with the planes of the moment, not with those that made it begin', async () => {
    const { told, planes, stop, work } = play([]);
    planes.change(['a']);
    planes.change(['b']);
    await new Promise(setImmediate);
    assert.deepEqual(told, ['set b', 'run']);
    stop.abort();
    await work;
  });
});
