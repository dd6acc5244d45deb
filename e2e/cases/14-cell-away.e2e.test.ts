// Case 14: a cell's API is away for a while.
// Its copies stand, everyone can see how stale they are, nothing is written for it, and other cells go on.
import assert from 'node:assert/strict';
import { useScenario } from '#e2e/scenario.ts';

describe('case 14: a cell that is away', () => {
  const scenario = useScenario({ writeback: { idleTimeout: '2s' } });

  it('keeps its copies, visibly stale, and is caught up with when it is back', async () => {
    const { c1, c2, hub, namespace, service, source } = scenario();
    const shared = await namespace();
    const [gone, stays] = [await source(c1, shared, 'gone').publish(), await source(c1, shared, 'stays').publish()];
    const mark = hub.mark();
    c1.proxy.refuse();
    await gone.delete();
    const staleness = () => service.metric('fedhub_watch_silence_seconds', { plane: 'c1' });
    await service.eventually('the silence shows', async () => (await staleness()) > 3);
    await service.swept('c2');
    assert.deepEqual(hub.writesSince(mark), []);
    await source(c2, shared).publish();
    c1.proxy.heal();
    await gone.expectNoCopy();
    await stays.expectCopy();
  });
});
