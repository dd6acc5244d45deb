// Case 5: one DELETED event never arrives.
// The next sweep reads the cell live, finds the source gone, and withdraws its copy.
import assert from 'node:assert/strict';
import { useScenario } from '#e2e/scenario.ts';

describe('case 5: a DELETED event that is lost', () => {
  const scenario = useScenario();

  it('is made up for by a sweep', async () => {
    const { c1, namespace, source } = scenario();
    const shared = await namespace();
    const [gone, stays] = [await source(c1, shared, 'gone').publish(), await source(c1, shared, 'stays').publish()];
    const dropped = c1.faults.event({ type: 'DELETED', name: 'gone' }, 'drop');
    await gone.delete();
    await gone.expectNoCopy();
    assert.equal(dropped.strikes, 1);
    await stays.expectCopy();
  });

  it('is made up for where the source was made too', async () => {
    const { c1, namespace, source } = scenario();
    const pod = source(c1, await namespace(), 'unseen');
    const dropped = c1.faults.event({ name: 'unseen' }, 'drop');
    await pod.create();
    await pod.expectCopy();
    assert.ok(dropped.strikes > 0);
  });
});
