// Case 30: a source loses its tenant label, and is touched afterwards.
// Its copy is withdrawn once and stays withdrawn, until the label is back.
import assert from 'node:assert/strict';
import { TENANT_ID } from '#api/keys.ts';
import { useScenario } from '#e2e/scenario.ts';

describe('case 30: a source that loses its tenant label', () => {
  const scenario = useScenario();

  it('loses its copy, once', async () => {
    const { c1, hub, namespace, service, source } = scenario();
    const pod = await source(c1, await namespace()).publish();
    const mark = hub.mark();
    await pod.patch({ metadata: { labels: { [TENANT_ID]: null } } });
    await pod.expectNoCopy();
    await pod.patch({ endpoints: [{ addresses: ['fd20::2'] }], metadata: { labels: { touched: 'yes' } } });
    await service.swept('c1');
    assert.deepEqual(hub.writesSince(mark), [`delete ${pod.copyKey.namespace}/${pod.copyKey.name}`]);
    await pod.patch({ metadata: { labels: { [TENANT_ID]: 'a-b' } } });
    await pod.expectCopy();
  });

  it('loses its copy where it did so while the service was down', async () => {
    const { c1, namespace, service, source } = scenario();
    const pod = await source(c1, await namespace()).publish();
    await service.stop();
    await pod.patch({ metadata: { labels: { [TENANT_ID]: null } } });
    await service.start();
    await pod.expectNoCopy();
  });
});
