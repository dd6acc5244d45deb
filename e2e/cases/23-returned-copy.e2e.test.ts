// Case 23: a copy comes back into the cell that it came from, with all of Karmada's marks, or stripped of some.
// Each mark alone is enough: it is never published again, and its going never withdraws anything.
import assert from 'node:assert/strict';
import { KARMADA_MANAGED, LOCATION, SLICE_PROJECTION, SLICE_SOURCE_NAME } from '#api/keys.ts';
import { useScenario } from '#e2e/scenario.ts';
import { foreignObject } from '#e2e/scenario/source-object.ts';

const OURS = { [SLICE_PROJECTION]: 'true', [LOCATION]: 'dfw' };
const DELIVERED = { [KARMADA_MANAGED]: 'true', 'work.karmada.io/permanent-id': 'w', 'resourcebinding.karmada.io/permanent-id': 'b' };

describe('case 23: a copy that returns', () => {
  const scenario = useScenario();

  for (const [how, labels] of [
    ['with every mark', { ...OURS, ...DELIVERED }],
    ["stripped of Karmada's marks", OURS],
    ['stripped of ours', DELIVERED],
  ] as const) {
    it(`is not published again: ${how}`, async () => {
      const { c1, hub, namespace, service, source } = scenario();
      const shared = await namespace();
      const pod = await source(c1, shared).publish();
      const returned = { namespace: shared, name: pod.copyKey.name };
      const mark = hub.mark();
      await c1.slices.create(foreignObject(returned, { labels, annotations: { [SLICE_SOURCE_NAME]: 'pod-1' } }));
      await service.swept('c1');
      await c1.slices.delete(returned);
      await service.swept('c1');
      assert.deepEqual(hub.writesSince(mark), []);
      assert.deepEqual(
        (await hub.slices.list(shared)).map(({ metadata }) => metadata.name),
        [pod.copyKey.name],
      );
    });
  }

  it('is counted where it looks like a native original that was taken over', async () => {
    const { c1, namespace, service } = scenario();
    await c1.slices.create(foreignObject({ namespace: await namespace(), name: 'pod-1' }, { labels: { [KARMADA_MANAGED]: 'true' } }));
    await service.expectHeld('c1', 'KarmadaManaged');
  });
});
