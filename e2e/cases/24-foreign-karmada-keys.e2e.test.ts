// Case 24: keys of Karmada's, and others that never cross, on a source or on a copy.
// They are not carried from the source, and those on a copy are neither removed nor a reason to write.
import assert from 'node:assert/strict';
import { LOCATION, SLICE_SOURCE_NAME, UPSTREAM_NAMESPACE } from '#api/keys.ts';
import { useScenario } from '#e2e/scenario.ts';

const NEVER = {
  'karmada.io/anything': 'x',
  'policy.karmada.io/permanent-id': 'x',
  'endpointslice.kubernetes.io/managed-by': 'x',
  'kubernetes.io/service-name': 'x',
};

describe('case 24: keys that never cross', () => {
  const scenario = useScenario();

  it('stay at the source', async () => {
    const { c1, namespace, source } = scenario();
    const pod = source(c1, await namespace());
    await pod.create({
      labels: { ...NEVER, kept: 'yes' },
      annotations: { ...NEVER, 'kubectl.kubernetes.io/last-applied-configuration': '{}' },
    });
    const { labels = {}, annotations = {} } = (await pod.expectCopy()).metadata;
    assert.deepEqual(
      [...Object.keys(labels), ...Object.keys(annotations)].filter((key) => key in NEVER || key.startsWith('kubectl')),
      [],
    );
  });

  it('cannot be set by a source where they are ours', async () => {
    const { c1, namespace, source } = scenario();
    const pod = source(c1, await namespace());
    await pod.create({ labels: { [LOCATION]: 'forged', [UPSTREAM_NAMESPACE]: 'forged' }, annotations: { [SLICE_SOURCE_NAME]: 'forged' } });
    const { metadata } = await pod.expectCopy();
    assert.ok(!JSON.stringify([metadata.labels, metadata.annotations]).includes('forged'));
  });

  it('stay on a copy where Karmada has put them, and cause no write', async () => {
    const { c1, hub, namespace, service, source } = scenario();
    const pod = await source(c1, await namespace()).publish();
    const marks = { 'clusterpropagationpolicy.karmada.io/permanent-id': 'id' };
    await hub.slices.patch(pod.copyKey, { metadata: { labels: marks, annotations: marks } });
    const mark = hub.mark();
    await service.swept('c1');
    assert.deepEqual(hub.writesSince(mark), []);
    await pod.patch({ endpoints: [{ addresses: ['fd20::2'] }] });
    await service.eventually('the copy follows', async () => JSON.stringify((await pod.copy())?.endpoints).includes('fd20::2'));
    const { labels, annotations } = (await pod.copy())?.metadata ?? {};
    assert.deepEqual({ ...labels, ...marks }, labels);
    assert.deepEqual({ ...annotations, ...marks }, annotations);
  });
});
