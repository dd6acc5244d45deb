// Case 4: a watch is cut, ten sources are deleted, and the watch is restored.
// The ten copies go although nobody saw the deletions; the others stay.
import { useScenario } from '#e2e/scenario.ts';
import { expectCopiesOf, publishMany } from '#e2e/scenario/many.ts';

describe('case 4: deletions while a watch is cut', () => {
  const scenario = useScenario({ sweeps: 'once' });

  it('are caught up with when the watch is back', async () => {
    const { c1, namespace } = scenario();
    const shared = await namespace();
    const sources = await publishMany(scenario(), { cell: c1, namespace: shared, count: 15 });
    c1.proxy.refuse();
    await Promise.all(sources.slice(0, 10).map((source) => source.delete()));
    c1.proxy.heal();
    await expectCopiesOf(scenario(), shared, sources.slice(10));
  });

  it('are caught up with by a new list where the cell has forgotten them', async () => {
    const { c1, namespace } = scenario();
    const shared = await namespace();
    const sources = await publishMany(scenario(), { cell: c1, namespace: shared, count: 15 });
    c1.faults.request({ path: /endpointslices/, watch: true }, { kind: 'error-event', code: 410 }, { times: 1 });
    c1.proxy.refuse();
    await Promise.all(sources.slice(0, 10).map((source) => source.delete()));
    c1.proxy.heal();
    await expectCopiesOf(scenario(), shared, sources.slice(10));
  });
});
