// Case 41: updates of a source in quick succession.
// The last one wins on the hub, however many of those before it were written.
import { useScenario } from '#e2e/scenario.ts';

describe('case 41: updates in quick succession', () => {
  const scenario = useScenario({ sweeps: 'once' });

  for (const updates of [2, 20]) {
    it(`end with the last of ${updates}`, async () => {
      const { c1, namespace, source } = scenario();
      const pod = await source(c1, await namespace()).publish();
      for (let count = 1; count <= updates; count += 1) await pod.patch({ endpoints: [{ addresses: [`fd20::${count}`] }] });
      await pod.expectCopy();
    });
  }
});
