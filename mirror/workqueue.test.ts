import assert from 'node:assert/strict';
import fc from 'fast-check';
import { systemClock } from '#kube/clock.ts';
import { Workqueue } from '#mirror/workqueue.ts';

const never = new AbortController().signal;

async function drain(queue: Workqueue): Promise<string[]> {
  const order: string[] = [];
  while (queue.depth > 0) {
    const next = await queue.next(never);
    if (!next) break;
    order.push(next.key);
    queue.done(next.key);
  }
  return order;
}

describe('workqueue', () => {
  it('hands out live before repair before sweep, first in first out within each', async () => {
    const queue = new Workqueue(systemClock);
    queue.add('s', 'sweep');
    queue.add('r1', 'repair');
    queue.add('r2', 'repair');
    queue.add('l', 'live');
    assert.deepEqual(await drain(queue), ['l', 'r1', 'r2', 's']);
  });

  it('moves a waiting key up when it is added to a higher lane, and hands it out once', async () => {
    const queue = new Workqueue(systemClock);
    queue.add('a', 'repair');
    queue.add('b', 'sweep');
    queue.add('b', 'live');
    queue.add('b', 'sweep');
    assert.deepEqual(await drain(queue), ['b', 'a']);
  });

  it('hands out a key again when it was added while under way, and never to two workers at once', async () => {
    const queue = new Workqueue(systemClock);
    queue.add('a', 'live');
    await queue.next(never);
    queue.add('a', 'live');
    assert.equal(queue.depth, 0);
    queue.done('a');
    assert.deepEqual(await queue.next(never), { key: 'a', priority: 'live' });
  });

  it('holds the sweep lane back until every key of a higher lane is done', async () => {
    const queue = new Workqueue(systemClock);
    queue.add('new', 'live');
    queue.add('old', 'sweep');
    await queue.next(never);
    const old = queue.next(never);
    const first = await Promise.race([old, Promise.resolve('nothing yet')]);
    assert.equal(first, 'nothing yet');
    queue.done('new');
    assert.deepEqual(await old, { key: 'old', priority: 'sweep' });
  });

  it('releases a delayed key, and adding it meanwhile takes the place of the delay', async () => {
    const queue = new Workqueue(systemClock);
    queue.addAfter('late', 5, 'repair');
    queue.addAfter('now', 60_000, 'repair');
    queue.add('now', 'live');
    assert.equal((await queue.next(never))?.key, 'now');
    assert.equal((await queue.next(never))?.key, 'late');
    queue.close();
  });

  it('gives nothing once the signal has aborted', async () => {
    const stop = new AbortController();
    const waiting = new Workqueue(systemClock).next(stop.signal);
    stop.abort();
    assert.equal(await waiting, undefined);
  });

  it('loses no key and repeats none, whatever the order of additions', async () => {
    const additions = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.constantFrom('live', 'repair', 'sweep')));
    await fc.assert(
      fc.asyncProperty(additions, async (steps) => {
        const queue = new Workqueue(systemClock);
        for (const [key, priority] of steps) queue.add(key, priority as 'live');
        const order = await drain(queue);
        assert.deepEqual([...order].sort(), [...new Set(steps.map(([key]) => key))].sort());
      }),
    );
  });
});
