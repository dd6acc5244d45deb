// Case 29: a copy whose source goes has a finalizer of somebody else's.
// It is asked for once, looked at with growing patience, reported, and made again only once it is gone.
import assert from 'node:assert/strict';
import { useScenario } from '#e2e/scenario.ts';

describe('case 29: a copy that a foreign finalizer holds', () => {
  const scenario = useScenario();

  it('is deleted once, reported, and not asked about in a hot loop', async () => {
    const { c1, hub, namespace, service, source } = scenario();
    const pod = await source(c1, await namespace()).publish();
    await hub.slices.patch(pod.copyKey, { metadata: { finalizers: ['example.com/held'] } });
    const mark = hub.mark();
    await pod.delete();
    await service.expectHeld('c1', 'CopyTerminating');
    const asked = () => hub.proxy.requests.count({ path: new RegExp(`/${pod.copyKey.name}$`) });
    const [before, sinceMs] = [asked(), performance.now()];
    for (let sweep = 0; sweep < 3; sweep += 1) await service.swept('c1');
    assert.ok(asked() - before < 10 + (performance.now() - sinceMs) / 100, `${asked() - before} requests`);
    assert.equal(hub.writesSince(mark).filter((write) => write.startsWith('delete')).length, 1);
    assert.ok((await pod.copy())?.metadata.deletionTimestamp);
    await pod.create({ address: 'fd20::2' });
    await hub.slices.patch(pod.copyKey, { metadata: { finalizers: null } });
    await pod.expectCopy();
  });
});
