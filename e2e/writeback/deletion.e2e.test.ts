// When a source goes, its copy goes, by the deletion that was seen and not by the next sweep.
// Copies of other sources in the same namespace stay.
import { useScenario } from '#e2e/scenario.ts';

describe('the deletion of a source', () => {
  const scenario = useScenario({ sweeps: 'once' });

  it('withdraws its copy, and no other', async () => {
    const { c1, namespace, source } = scenario();
    const shared = await namespace();
    const [gone, stays] = [await source(c1, shared, 'gone').publish(), await source(c1, shared, 'stays').publish()];
    await gone.delete();
    await gone.expectNoCopy();
    await stays.expectCopy();
  });

  it('withdraws the copy of one that still waits for its finalizers', async () => {
    const { c1, namespace, source } = scenario();
    const pod = await source(c1, await namespace()).publish();
    await pod.patch({ metadata: { finalizers: ['example.com/slow'] } });
    await pod.delete();
    await pod.expectNoCopy();
    await pod.patch({ metadata: { finalizers: null } });
  });
});
