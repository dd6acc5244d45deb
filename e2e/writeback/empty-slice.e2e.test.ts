// A slice without endpoints publishes nothing, and takes nothing away: a copy that is up stands as it is.
// An empty slice is a pod between two addresses, not a pod that is gone.
import assert from 'node:assert/strict';
import { useScenario } from '#e2e/scenario.ts';

describe('an empty slice', () => {
  const scenario = useScenario();

  it('is not published before it has an endpoint', async () => {
    const { c1, namespace, source, service } = scenario();
    const pod = await source(c1, await namespace()).create({ fields: { endpoints: [] } });
    await service.swept('c1');
    assert.equal(await pod.copy(), undefined);
    await pod.patch({ endpoints: [{ addresses: ['fd20::1'] }] });
    await pod.expectCopy();
  });

  it('leaves the copy that is up as it is', async () => {
    const { c1, hub, namespace, source, service } = scenario();
    const pod = await source(c1, await namespace()).publish();
    const before = await pod.copy();
    const mark = hub.mark();
    await pod.patch({ endpoints: [], metadata: { labels: { changed: 'too' } } });
    await service.swept('c1');
    assert.deepEqual(await pod.copy(), before);
    assert.deepEqual(hub.writesSince(mark), []);
  });
});
