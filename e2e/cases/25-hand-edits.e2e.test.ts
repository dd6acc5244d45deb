// Case 25: a copy is edited or deleted by hand.
// It is put right by what the hub's watch shows, without a restart or a sweep; keys that are somebody else's stay.
import assert from 'node:assert/strict';
import { LOCATION, SLICE_PROJECTION, TENANT_ID } from '#api/keys.ts';
import { useScenario } from '#e2e/scenario.ts';

const EDITS: [string, object][] = [
  ['an endpoint', { endpoints: [{ addresses: ['fd20::bad'] }] }],
  ['its ports', { ports: [{ name: 'x', port: 1 }] }],
  ['a label that it carries', { metadata: { labels: { [TENANT_ID]: 'forged' } } }],
  ['an annotation that it has lost', { metadata: { annotations: { [TENANT_ID]: null } } }],
];

/** Without one of these it is no copy of ours any more, and what is not ours is left alone. */
const DISOWNED: [string, object][] = [
  ['the mark that makes it ours', { metadata: { labels: { [SLICE_PROJECTION]: null } } }],
  ['the location that it belongs to', { metadata: { labels: { [LOCATION]: 'elsewhere' } } }],
];

describe('case 25: a copy that is changed by hand', () => {
  const scenario = useScenario({ sweeps: 'once' });

  for (const [what, patch] of EDITS) {
    it(`is put right: ${what}`, async () => {
      const { c1, hub, namespace, source } = scenario();
      const pod = await source(c1, await namespace()).publish();
      await hub.slices.patch(pod.copyKey, patch);
      await pod.expectCopy();
    });
  }

  for (const [what, patch] of DISOWNED) {
    it(`is left alone and reported when it has lost ${what}, and made anew when it is gone`, async () => {
      const { c1, hub, namespace, service, source } = scenario();
      const pod = await source(c1, await namespace()).publish();
      await hub.slices.patch(pod.copyKey, patch);
      await service.expectHeld('c1', 'NameTaken');
      await hub.slices.delete(pod.copyKey);
      await pod.expectCopy();
    });
  }

  it('is made again when it was deleted', async () => {
    const { c1, hub, namespace, source } = scenario();
    const pod = await source(c1, await namespace()).publish();
    await hub.slices.delete(pod.copyKey);
    await pod.expectCopy();
  });

  it('keeps what another manager has added', async () => {
    const { c1, hub, namespace, service, source } = scenario();
    const pod = await source(c1, await namespace()).publish();
    const added = { 'example.com/owner': 'somebody' };
    await hub.slices.patch(pod.copyKey, { metadata: { labels: added }, endpoints: [{ addresses: ['fd20::bad'] }] });
    await service.eventually('the endpoint is put right', async () => !JSON.stringify(await pod.copy()).includes('fd20::bad'));
    assert.equal((await pod.copy())?.metadata.labels?.['example.com/owner'], 'somebody');
  });
});
