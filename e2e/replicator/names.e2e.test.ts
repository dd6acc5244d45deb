// A name may be 253 characters long and a label value 63: every object is published all the same, under its own name.
// Its copy leads back to it by the full name in an annotation, also for a service that starts anew.
import { useProjects } from '#e2e/project-scenario.ts';
import { networkFields, NETWORKS } from '#e2e/scenario/project-kinds.ts';

const LENGTHS = [63, 64, 120, 253];

describe('long names', () => {
  const scenario = useProjects();

  it('are published, and withdrawn though they were deleted while the service was down; near ones stay', async () => {
    const { p1, service, declared } = scenario();
    const namespace = await p1.createNamespace();
    const pairs = LENGTHS.map((length) => {
      const begin = `n${'-long'.repeat(60).slice(0, length - 2)}`;
      return {
        gone: declared(p1, NETWORKS, { namespace, name: `${begin}x` }),
        stays: declared(p1, NETWORKS, { namespace, name: `${begin}y` }),
      };
    });
    for (const { gone, stays } of pairs) for (const network of [gone, stays]) await network.publish(networkFields());
    await service.stop();
    for (const { gone } of pairs) await gone.delete();
    await service.start();
    for (const { gone } of pairs) await gone.expectNoCopy();
    for (const { stays } of pairs) await stays.expectCopy();
  });
});
