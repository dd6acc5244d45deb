// Case 26: a label or an annotation vanishes at the source.
// It vanishes on the copy too; what other managers have put on the copy stays.
import assert from 'node:assert/strict';
import { useScenario } from '#e2e/scenario.ts';

describe('case 26: a key that vanishes at the source', () => {
  const scenario = useScenario();

  it('vanishes on the copy', async () => {
    const { c1, namespace, source } = scenario();
    const pod = await source(c1, await namespace()).publish({ labels: { a: '1', b: '2' }, annotations: { c: '3', d: '4' } });
    await pod.patch({ metadata: { labels: { a: null }, annotations: { c: null } } });
    await pod.expectCopy();
  });

  it('vanishes on the copy where it did so while the service was down', async () => {
    const { c1, namespace, service, source } = scenario();
    const pod = await source(c1, await namespace()).publish({ labels: { a: '1' } });
    await service.stop();
    await pod.patch({ metadata: { labels: { a: null } } });
    await service.start();
    await pod.expectCopy();
  });

  it("leaves others' keys on the copy", async () => {
    const { c1, hub, namespace, service, source } = scenario();
    const pod = await source(c1, await namespace()).publish({ labels: { a: '1' } });
    await hub.slices.patch(pod.copyKey, { metadata: { labels: { 'example.com/theirs': 'x' } } });
    await pod.patch({ metadata: { labels: { a: null } } });
    const labels = async () => (await pod.copy())?.metadata.labels ?? {};
    await service.eventually('the key is gone', async () => !('a' in (await labels())));
    assert.equal((await labels())['example.com/theirs'], 'x');
  });
});
