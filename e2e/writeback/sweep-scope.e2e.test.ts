// A sweep withdraws copies that have no source, and only those: live sources keep theirs, and so does every other location.
// What only looks like a copy is none of a sweep's business.
import assert from 'node:assert/strict';
import { LOCATION, SLICE_PROJECTION, TENANT_ID } from '#api/keys.ts';
import { eventually } from '#e2e/eventually.ts';
import { useScenario } from '#e2e/scenario.ts';
import { foreignObject } from '#e2e/scenario/source-object.ts';

describe('a sweep', () => {
  const scenario = useScenario();

  it('keeps live sources and the copies of other locations', async () => {
    const { c1, c2, hub, namespace, source, service } = scenario();
    const shared = await namespace();
    const before = hub.mark();
    const [here, there] = [await source(c1, shared).publish(), await source(c2, shared).publish()];
    // A copy can be read before the audit log tells of the write that made it.
    await eventually('the audit log tells of both copies', () => hub.writesSince(before).length === 2);
    const mark = hub.mark();
    await service.swept('c1');
    await service.swept('c2');
    assert.deepEqual(hub.writesSince(mark), []);
    await here.expectCopy();
    await there.expectCopy();
  });

  it('leaves the copies of a location that no cell serves', async () => {
    const { hub, namespace, service } = scenario();
    const key = { namespace: await namespace(), name: 'vpc-elsewhere.pod-1' };
    const labels = { [SLICE_PROJECTION]: 'true', [LOCATION]: 'elsewhere' };
    const created = await hub.slices.create(foreignObject(key, { labels }));
    await service.swept('c1');
    assert.deepEqual(await hub.slices.read(key), created);
  });

  it('leaves slices that carry the tenant label and are no copies', async () => {
    const { hub, namespace, service } = scenario();
    const key = { namespace: await namespace(), name: 'vpc-dfw.somebody-elses' };
    const created = await hub.slices.create(foreignObject(key, { labels: { [TENANT_ID]: 'a-b', [LOCATION]: 'dfw' } }));
    await service.swept('c1');
    assert.deepEqual(await hub.slices.read(key), created);
  });
});
