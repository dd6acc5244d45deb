// Case 22: names of every length, and locations and names that could be mistaken for each other.
// Every source is published, no two share a copy, and a sweep finds each of them again.
import assert from 'node:assert/strict';
import { useScenario } from '#e2e/scenario.ts';

/** A pod's name of that length, with dots and dashes where names have them. */
const nameOf = (length: number) => 'pod-0.'.repeat(43).slice(0, length - 1) + 'z';
const LENGTHS = [63, 64, 120, 200, 230, 231, 250, 252, 253];

describe('case 22: names', () => {
  const scenario = useScenario({ locations: { c1: 'a-b', c2: 'a' } });

  it('of any length give copies of their own, which go with their sources', async () => {
    const { c1, hub, namespace, service, source } = scenario();
    const shared = await namespace();
    const pods = LENGTHS.map((length) => source(c1, shared, nameOf(length)));
    for (const pod of pods) await pod.publish();
    const names = (await hub.slices.list(shared)).map(({ metadata }) => metadata.name);
    assert.equal(new Set(names).size, LENGTHS.length);
    assert.ok(
      names.every((name) => name.length <= 238),
      names.join(),
    );
    await service.stop();
    for (const pod of pods) await pod.delete();
    await service.start();
    for (const pod of pods) await pod.expectNoCopy();
  });

  it('that differ only far behind give two copies', async () => {
    const { c1, namespace, source } = scenario();
    const shared = await namespace();
    const [one, other] = ['1', '2'].map((end) => source(c1, shared, 'x'.repeat(252) + end));
    assert.ok(one && other);
    await one.publish({ address: 'fd20::1' });
    await other.publish({ address: 'fd20::2' });
    await other.delete();
    await other.expectNoCopy();
    await one.expectCopy();
  });

  it('are not mistaken for a part of the location', async () => {
    const { c1, c2, namespace, source } = scenario();
    const shared = await namespace();
    const [here, there] = [await source(c1, shared, 'c').publish(), await source(c2, shared, 'b-c').publish()];
    assert.notEqual(here.copyKey.name, there.copyKey.name);
    await here.delete();
    await here.expectNoCopy();
    await there.expectCopy();
  });
});

describe('case 22: a location of 63 characters', () => {
  const scenario = useScenario({ locations: { c1: 'l'.repeat(63) } });

  it('leaves room for names of every length', async () => {
    const { c1, namespace, source } = scenario();
    const shared = await namespace();
    for (const length of LENGTHS) await source(c1, shared, nameOf(length)).publish();
  });
});
