// Case 32: the hub's namespace is missing when a source appears, and is made later.
// The source waits, and is published at once when the namespace appears, without an event at the source or a retry.
import assert from 'node:assert/strict';
import { useScenario } from '#e2e/scenario.ts';
import { createNamespace, readNamespace } from '#e2e/scenario/slices.ts';

describe('case 32: a hub namespace that is made later', () => {
  const scenario = useScenario({ sweeps: 'once', writeback: { retryInterval: '1h' } });

  it('wakes what waits for it', async () => {
    const { c1, hub, namespace, service, source } = scenario();
    const later = await namespace({ hub: false });
    const mark = hub.mark();
    const pod = await source(c1, later).create();
    await service.expectHeld('c1', 'HubNamespaceMissing');
    assert.deepEqual(hub.writesSince(mark), []);
    const cellNamespace = await readNamespace(c1.plane.admin, later);
    const { 'kubernetes.io/metadata.name': _name, ...labels } = cellNamespace?.metadata.labels ?? {};
    await createNamespace(hub.plane.admin, { name: later, labels });
    await pod.expectCopy();
  });
});
