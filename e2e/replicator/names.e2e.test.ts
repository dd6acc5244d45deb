// A name may be 253 characters long and a label value 63: every object is published all the same, under its own name.
// Its copy leads back to it by the full name in an annotation, also for a service that starts anew.
import { useProjects } from '#e2e/project-scenario.ts';
import { networkFields, NETWORKS } from '#e2e/scenario/project-kinds.ts';

describe('a long name', () => {
  const scenario = useProjects();

  for (const length of [63, 64, 120, 253]) {
    it(`of ${length} characters is published, and withdrawn though it was deleted while the service was down`, async () => {
      const { p1, service, declared } = scenario();
      const namespace = await p1.createNamespace();
      const name = `n${'-long'.repeat(60).slice(0, length - 2)}x`;
      const long = await declared(p1, NETWORKS, { namespace, name }).publish(networkFields());
      const twin = await declared(p1, NETWORKS, { namespace, name: `${name.slice(0, -1)}y` }).publish(networkFields());
      await service.stop();
      await long.delete();
      await service.start();
      await long.expectNoCopy();
      await twin.expectCopy();
    });
  }
});
