// Case 33: a hub namespace is deleted, takes its time to end, and is made again.
// Nothing is written into it while it ends, and its copies return when it is back.
import assert from 'node:assert/strict';
import { useScenario } from '#e2e/scenario.ts';
import { createNamespace, deleteNamespace } from '#e2e/scenario/slices.ts';
import { foreignObject } from '#e2e/scenario/source-object.ts';

const SLOW = { metadata: { finalizers: ['example.com/slow'] } };

describe('case 33: a hub namespace that is deleted and made again', () => {
  const scenario = useScenario();

  it('is left alone while it ends, and gets its copies back', async () => {
    const { c1, hub, namespace, service, source } = scenario();
    const shared = await namespace();
    const pod = await source(c1, shared).publish();
    const slow = { namespace: shared, name: 'slow' };
    await hub.slices.create(foreignObject(slow));
    await hub.slices.patch(slow, SLOW);
    const { 'kubernetes.io/metadata.name': _name, ...labels } = (await hub.readNamespace(shared))?.metadata.labels ?? {};
    await deleteNamespace(hub.plane.admin, shared);
    await pod.expectNoCopy();
    const mark = hub.mark();
    await service.expectHeld('c1', 'HubNamespaceTerminating');
    await service.swept('c1');
    assert.ok(hub.writesSince(mark).length <= 1, hub.writesSince(mark).join());
    await hub.slices.patch(slow, { metadata: { finalizers: null } });
    await service.eventually('the namespace has ended', async () => (await hub.readNamespace(shared)) === undefined);
    await createNamespace(hub.plane.admin, { name: shared, labels });
    await pod.expectCopy();
  });
});
