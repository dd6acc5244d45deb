// Case 18: one cell accepts connections and says nothing when the service starts.
// The other cells converge in seconds all the same, and the silent one once it speaks.
import { useScenario } from '#e2e/scenario.ts';

describe('case 18: a cell that is silent at start', () => {
  const scenario = useScenario({ stopped: true, writeback: { idleTimeout: '2s' } });

  it('delays no other cell', async () => {
    const { c1, c2, namespace, service, source } = scenario();
    c2.proxy.blackHole();
    const shared = await namespace();
    const [here, there] = [await source(c1, shared).create(), await source(c2, shared).create()];
    await service.start();
    await here.expectCopy();
    c2.proxy.heal();
    await there.expectCopy();
  });
});
