// Case 12: at start a cell's list of slices hangs, fails, or begins with an empty page.
// Not one write on the hub follows from that; once the list is whole, what is gone goes.
import assert from 'node:assert/strict';
import type { RequestFault } from '#e2e/proxy/fault.ts';
import { useScenario } from '#e2e/scenario.ts';

const SLICES = { path: /\/endpointslices/ };
const STREAMS = { ...SLICES, query: { sendInitialEvents: 'true' } };

describe('case 12: a list that fails at start', () => {
  const scenario = useScenario({ writeback: { idleTimeout: '2s' } });

  const faults: RequestFault[] = [
    { kind: 'hang' },
    { kind: 'status', status: 500 },
    { kind: 'truncate', afterBytes: 50 },
    { kind: 'not-served' },
  ];
  for (const fault of faults) {
    it(`takes nothing away: ${JSON.stringify(fault)}`, async () => {
      const { c1, c2, hub, namespace, service, source } = scenario();
      const shared = await namespace();
      const [gone, stays] = [await source(c1, shared, 'gone').publish(), await source(c1, shared, 'stays').publish()];
      await service.stop();
      await gone.delete();
      const mark = hub.mark();
      const struck = c1.faults.request(SLICES, fault);
      await service.start();
      await service.swept('c2');
      await service.eventually('the fault has struck', () => struck.strikes >= 1);
      assert.deepEqual(hub.writesSince(mark), []);
      await source(c2, shared, 'elsewhere').publish();
      struck.lift();
      c1.proxy.cut(SLICES);
      await gone.expectNoCopy();
      await stays.expectCopy();
    });
  }

  it('takes nothing away: an empty first page', async () => {
    const { c1, hub, namespace, service, source } = scenario();
    const pod = await source(c1, await namespace()).publish();
    await service.stop();
    const mark = hub.mark();
    c1.faults.request(STREAMS, { kind: 'status', status: 422 });
    const struck = c1.faults.request({ ...SLICES, watch: false, query: { limit: '500' } }, { kind: 'empty-first-page' });
    await service.start();
    await service.swept('c1');
    assert.ok(struck.strikes > 0);
    assert.deepEqual(hub.writesSince(mark), []);
    c1.faults.clear();
    await pod.expectCopy();
  });
});
