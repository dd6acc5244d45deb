// Case 3: in the first second after a restart a source is deleted and made again.
// Whatever of that the service sees, and in whatever order, the copy ends as the source is.
import { useScenario } from '#e2e/scenario.ts';

describe('case 3: a source made again while the service starts', () => {
  const scenario = useScenario({ sweeps: 'once' });

  for (const address of ['fd20::1', 'fd20::2']) {
    it(`ends with the copy of the new one: ${address}`, async () => {
      const { c1, namespace, service, source } = scenario();
      const pod = await source(c1, await namespace()).publish();
      await service.stop();
      const started = service.start();
      await pod.delete();
      await pod.create({ address });
      await started;
      await pod.expectCopy();
    });
  }
});
