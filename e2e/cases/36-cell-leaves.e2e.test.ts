// Case 36: a cell is taken out of the configuration, reachable or not.
// Its work stops at once and its copies stay, until it is back and its sources can be asked.
import assert from 'node:assert/strict';
import { useScenario } from '#e2e/scenario.ts';

describe('case 36: a cell that leaves', () => {
  const scenario = useScenario();

  it('keeps its copies while it is out, and is caught up with when it is back', async () => {
    const { c1, c2, configure, hub, namespace, service, source } = scenario();
    const shared = await namespace();
    const [gone, stays] = [await source(c1, shared, 'gone').publish(), await source(c1, shared, 'stays').publish()];
    const other = await source(c2, shared, 'other').publish();
    configure([c2]);
    await service.eventually('the cell has left', async () => !(await service.ask('/status')).body.includes('"c1"'));
    const mark = hub.mark();
    await gone.delete();
    await stays.patch({ metadata: { labels: { changed: 'meanwhile' } } });
    await service.swept('c2');
    assert.deepEqual(hub.writesSince(mark), []);
    configure([c1, c2]);
    await gone.expectNoCopy();
    for (const source of [stays, other]) await source.expectCopy();
  });

  it('stops at once when it cannot be reached either', async () => {
    const { c1, c2, configure, namespace, service, source } = scenario();
    const shared = await namespace();
    const pod = await source(c1, shared).publish();
    c1.plane.pause();
    try {
      configure([c2]);
      await service.eventually('the cell has left', async () => !(await service.ask('/status')).body.includes('"c1"'));
      assert.ok(await pod.copy());
    } finally {
      c1.plane.resume();
      configure([c1, c2]);
    }
    await pod.expectCopy();
  });
});
