// A copy says what its source says, byte for byte, plus where it comes from, and nothing else.
// Whatever a slice carries crosses untouched: what is unset stays unset, and nothing owns a copy.
import assert from 'node:assert/strict';
import { useScenario } from '#e2e/scenario.ts';

describe('a published slice', () => {
  const scenario = useScenario();

  it('crosses unaltered, with its ports unset and without its owner', async () => {
    const { c1, namespace, source } = scenario();
    const copy = await (await source(c1, await namespace()).create()).expectCopy();
    assert.equal(copy.ports, null);
    assert.equal(copy.metadata.ownerReferences, undefined);
    assert.equal(copy.metadata.name, 'vpc-dfw.pod-1');
  });

  it('crosses with every detail that real slices differ in', async () => {
    const { c1, namespace, source } = scenario();
    const endpoint = {
      addresses: ['fd20::7', 'fd20::8'],
      conditions: { serving: true, terminating: false },
      hints: { forZones: [{ name: 'zone-b' }] },
      hostname: 'pod-1',
      zone: 'zone-a',
    };
    const fields = {
      endpoints: [endpoint, { addresses: ['fd20::9'] }],
      ports: [{ name: 'web', port: 80, protocol: 'TCP', appProtocol: null }],
    };
    const labels = { 'example.com/team': 'Blue.Green_1' };
    const annotations = { 'example.com/note': ' spaces and\nlines \u00e9 ' };
    await source(c1, await namespace()).publish({ fields, labels, annotations });
  });

  it('follows every change of its source', async () => {
    const { c1, namespace, source } = scenario();
    const pod = await source(c1, await namespace()).publish();
    await pod.patch({ endpoints: [{ addresses: ['fd20::99'], conditions: { ready: false } }], metadata: { labels: { added: 'yes' } } });
    await pod.expectCopy();
  });
});
