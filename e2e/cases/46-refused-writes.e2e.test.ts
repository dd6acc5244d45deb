// Case 46: the hub answers 404, 409 or 410 to a write of ours.
// The write is taken for done or tried again on what is really there: nothing stays stuck.
import assert from 'node:assert/strict';
import { useScenario } from '#e2e/scenario.ts';

describe('case 46: writes that the hub refuses', () => {
  const scenario = useScenario({ sweeps: 'once' });
  afterEach(() => scenario().hub.faults.clear());

  for (const status of [404, 409, 410, 500] as const) {
    it(`are made good after ${status}`, async () => {
      const { c1, hub, namespace, source } = scenario();
      const shared = await namespace();
      const once = (method: string) => hub.faults.request({ method }, { kind: 'status', status }, { times: 1 });
      const applies = [once('PATCH')];
      const pod = await source(c1, shared).publish();
      applies.push(once('PATCH'));
      await pod.patch({ endpoints: [{ addresses: ['fd20::2'] }] });
      await pod.expectCopy();
      const withdrawal = once('DELETE');
      await pod.delete();
      await pod.expectNoCopy();
      assert.deepEqual(
        [...applies, withdrawal].map(({ strikes }) => strikes),
        [1, 1, 1],
      );
    });
  }
});
