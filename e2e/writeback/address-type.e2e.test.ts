// A slice's address type cannot be changed, so a pod that gets one of another type gets a new copy in place of the old one.
// Both go by the same name, and the old one is deleted only to make room.
import assert from 'node:assert/strict';
import { useScenario } from '#e2e/scenario.ts';

describe('a source made again with another address type', () => {
  const scenario = useScenario({ sweeps: 'once' });

  it('replaces its copy', async () => {
    const { c1, namespace, source } = scenario();
    const pod = await source(c1, await namespace()).create();
    const before = await pod.expectCopy();
    await pod.delete();
    await pod.create({ fields: { addressType: 'IPv4', endpoints: [{ addresses: ['192.0.2.1'] }] } });
    const after = await pod.expectCopy();
    assert.deepEqual([before.addressType, after.addressType], ['IPv6', 'IPv4']);
    assert.notEqual(after.metadata.uid, before.metadata.uid);
  });

  it('replaces its copy where the change was missed', async () => {
    const { c1, namespace, source, service } = scenario();
    const pod = await source(c1, await namespace()).publish();
    await service.stop();
    await pod.delete();
    await pod.create({ fields: { addressType: 'IPv4', endpoints: [{ addresses: ['192.0.2.1'] }] } });
    await service.start();
    await pod.expectCopy();
  });
});
