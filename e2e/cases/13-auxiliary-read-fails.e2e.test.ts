// Case 13: at start a read beside the slices fails: namespaces of the cell or of the hub, serving locations.
// Nothing is withdrawn and nothing is published on half the facts; the keys wait, and go on once the read is well.
import assert from 'node:assert/strict';
import { useScenario } from '#e2e/scenario.ts';

describe('case 13: a read beside the slices fails at start', () => {
  const scenario = useScenario({ writeback: { idleTimeout: '2s' } });

  for (const [side, path] of [
    ['c1', /\/namespaces(\/kube-system)?$/],
    ['c1', /\/servinglocations$/],
    ['hub', /\/namespaces$/],
    ['hub', /\/endpointslices$/],
  ] as const) {
    it(`takes nothing away: ${path.source} of ${side}`, async () => {
      const { c1, hub, namespace, service, source } = scenario();
      const shared = await namespace();
      const gone = await source(c1, shared, 'gone').publish();
      await service.stop();
      await gone.delete();
      const fresh = await source(c1, shared, 'fresh').create();
      const mark = hub.mark();
      const struck = scenario()[side].faults.request({ path }, { kind: 'status', status: 500 });
      await service.start();
      await service.eventually('the fault has struck three times', () => struck.strikes >= 3);
      assert.deepEqual(hub.writesSince(mark), []);
      struck.lift();
      await gone.expectNoCopy();
      await fresh.expectCopy();
    });
  }
});
