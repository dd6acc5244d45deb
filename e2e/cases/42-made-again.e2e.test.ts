// Case 42: a source is deleted and made again within a second.
// The copy is updated in place where the deletion need not be followed, and ends as the source is in any case.
import assert from 'node:assert/strict';
import { useScenario } from '#e2e/scenario.ts';

describe('case 42: a source that is made again', () => {
  const scenario = useScenario({ sweeps: 'once' });

  it('ends with the copy of the new one', async () => {
    const { c1, namespace, source } = scenario();
    const pod = await source(c1, await namespace()).publish();
    for (const address of ['fd20::1', 'fd20::2', 'fd20::3']) {
      await pod.delete();
      await pod.create({ address });
    }
    await pod.expectCopy();
  });

  it('keeps its copy where both were missed', async () => {
    const { c1, namespace, service, source } = scenario();
    const pod = await source(c1, await namespace()).publish();
    const before = await pod.copy();
    await service.stop();
    await pod.delete();
    await pod.create({ address: 'fd20::2' });
    await service.start();
    const after = await pod.expectCopy();
    assert.equal(after.metadata.uid, before?.metadata.uid);
  });
});
