// Case 35: a cell that already holds slices is added to the configuration of a running service.
// All of them are published without an event at the cell, and the cells that were there go on undisturbed.
import { useScenario } from '#e2e/scenario.ts';
import { expectCopiesOf } from '#e2e/scenario/many.ts';

describe('case 35: a cell that joins', () => {
  const scenario = useScenario({ stopped: true });

  it('has everything published that it holds', async () => {
    const { c1, c2, configure, namespace, service, source } = scenario();
    const shared = await namespace();
    configure([c1]);
    await service.start();
    const here = await source(c1, shared).publish();
    const there = ['a', 'b', 'c'].map((name) => source(c2, shared, name));
    for (const pod of there) await pod.create();
    configure([c1, c2]);
    await expectCopiesOf(scenario(), shared, [here, ...there]);
    for (const pod of there) await pod.expectCopy();
  });
});
