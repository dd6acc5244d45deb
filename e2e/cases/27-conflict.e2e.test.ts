// Case 27: another writer's claim on a copy and our apply cross (409).
// Both survive: the claim stays on the copy, and the copy says what its source says.
import assert from 'node:assert/strict';
import { useScenario } from '#e2e/scenario.ts';

const CLAIM = { 'clusterpropagationpolicy.karmada.io/permanent-id': 'id' };

describe('case 27: writes that cross', () => {
  const scenario = useScenario({ sweeps: 'once' });
  afterEach(() => scenario().hub.faults.clear());

  it('both survive a conflict', async () => {
    const { c1, hub, namespace, service, source } = scenario();
    const pod = await source(c1, await namespace()).publish();
    const conflict = hub.faults.request({ method: 'PATCH' }, { kind: 'status', status: 409 }, { times: 1 });
    await pod.patch({ endpoints: [{ addresses: ['fd20::2'] }] });
    await hub.slices.patch(pod.copyKey, { metadata: { labels: CLAIM } });
    await service.eventually('the copy follows', async () => JSON.stringify(await pod.copy()).includes('fd20::2'));
    assert.equal(conflict.strikes, 1);
    const copy = await pod.copy();
    assert.deepEqual({ ...copy?.metadata.labels, ...CLAIM }, copy?.metadata.labels);
  });

  it('both survive when they come all the time', async () => {
    const { c1, hub, namespace, service, source } = scenario();
    const pod = await source(c1, await namespace()).publish();
    for (let round = 0; round < 20; round += 1) {
      await Promise.all([
        pod.patch({ endpoints: [{ addresses: [`fd20::1${round}`] }] }),
        hub.slices.patch(pod.copyKey, { metadata: { labels: { 'work.karmada.io/round': String(round) } } }),
      ]);
    }
    await service.eventually('the copy follows', async () => JSON.stringify((await pod.copy())?.endpoints).includes('"fd20::119"'));
    assert.equal((await pod.copy())?.metadata.labels?.['work.karmada.io/round'], '19');
  });
});
