// Case 1: sources that are deleted while the service is down.
// Exactly their copies go within one pass after its start, be it one or half of hundreds.
import { useScenario } from '#e2e/scenario.ts';
import { expectCopiesOf, publishMany } from '#e2e/scenario/many.ts';

describe('case 1: sources deleted while the service is down', () => {
  const scenario = useScenario({ sweeps: 'once' });

  for (const [count, deleted] of [
    [3, 1],
    [400, 200],
  ] as const) {
    it(`lose their copies, and only they: ${deleted} of ${count}`, async () => {
      const { c1, namespace, service } = scenario();
      const shared = await namespace();
      const sources = await publishMany(scenario(), { cell: c1, namespace: shared, count });
      await service.stop();
      await Promise.all(sources.slice(0, deleted).map((source) => source.delete()));
      await service.start();
      await expectCopiesOf(scenario(), shared, sources.slice(deleted));
    });
  }
});
