// Two locations with a pod of the same name give two copies, each with its own source and its own fate.
// A copy's name says its location, so neither can stand in the other's place.
import assert from 'node:assert/strict';
import { useScenario } from '#e2e/scenario.ts';

describe('one pod name at two locations', () => {
  const scenario = useScenario();

  it('gives two copies, and the end of one leaves the other', async () => {
    const { c1, c2, hub, namespace, source } = scenario();
    const shared = await namespace();
    const here = await source(c1, shared).publish({ address: 'fd20::1' });
    const there = await source(c2, shared).publish({ address: 'fd20::2' });
    const names = (await hub.slices.list(shared)).map(({ metadata }) => metadata.name);
    assert.deepEqual(names.sort(), ['vpc-ams.pod-1', 'vpc-dfw.pod-1']);
    await here.delete();
    await here.expectNoCopy();
    await there.expectCopy();
  });
});
