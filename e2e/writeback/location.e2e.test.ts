// A cell takes its location from the one serving location delivered to it, whatever is configured.
// While the location is not known nothing is withdrawn; when it is renamed, the new copies are up before the old ones go.
import assert from 'node:assert/strict';
import { SERVING_LOCATIONS } from '#api/resources.ts';
import { objectsOn } from '#e2e/locations/objects-on.ts';
import { type ScenarioOptions, useScenario } from '#e2e/scenario.ts';
import type { CellStatus } from '#writeback/cell-status.ts';

const SPEC = { spec: { topology: { 'topology.datum.net/city-code': 'XYZ' } } };

const ALL = ['iad', 'lhr', 'sin'];

describe('the location of a cell', () => {
  for (const [what, options] of [
    ['that is configured otherwise', {}],
    ['that is not configured', { unconfigured: ['c1'] }],
  ] as const) {
    describe(what, () => {
      const { scenario, deliver, take, cellStatus, expectNames } = useLocations(options);
      after('leave no serving location behind', () => Promise.all(ALL.map(take)));

      it('is the delivered one, and a mismatch is visible', async () => {
        const { c1, namespace, source, service } = scenario();
        const at = await namespace();
        await deliver('iad');
        await source(c1, at, 'pod-1').create();
        await expectNames(at, ['vpc-iad.pod-1']);
        const overruled = what === 'that is not configured' ? undefined : 'dfw';
        await service.eventually('the mismatch is visible', async () => (await cellStatus()).overruledLocation === overruled);
      });
    });
  }

  describe('that changes', () => {
    const { scenario, deliver, take, cellStatus, expectNames } = useLocations({ unconfigured: ['c1'] });
    before('deliver one', () => deliver('iad'));
    after('leave no serving location behind', () => Promise.all(ALL.map(take)));

    it('has every new copy up before the first old one goes', async () => {
      const { c1, hub, namespace, source } = scenario();
      const at = await namespace();
      for (const name of ['a', 'b', 'c']) await source(c1, at, name).create();
      await expectNames(at, ['vpc-iad.a', 'vpc-iad.b', 'vpc-iad.c']);
      const mark = hub.mark();
      await take('iad');
      await deliver('lhr');
      await expectNames(at, ['vpc-lhr.a', 'vpc-lhr.b', 'vpc-lhr.c']);
      const writes = hub.writesSince(mark).filter((write) => write.includes(`${at}/`));
      const firstDelete = writes.findIndex((write) => write.startsWith('delete'));
      const published = new Set(writes.slice(0, firstDelete).filter((write) => write.includes('vpc-lhr.')));
      assert.equal(published.size, 3, writes.join('\n'));
    });

    it('withdraws nothing while there are several or none, and says which it is', async () => {
      const { c1, hub, namespace, source, service } = scenario();
      const at = await namespace();
      const pod = await source(c1, at, 'pod-2').create();
      await expectNames(at, ['vpc-lhr.pod-2']);
      await deliver('sin');
      await service.eventually('it is ambiguous', async () => (await cellStatus()).waitingFor.includes('AmbiguousLocationIdentity'));
      const mark = hub.mark();
      await pod.delete();
      await take('lhr');
      await take('sin');
      await service.eventually('there is none', async () => (await cellStatus()).waitingFor.includes('NoLocationIdentity'));
      assert.deepEqual(
        hub.writesSince(mark).filter((write) => write.includes(`${at}/`)),
        [],
      );
      await deliver('lhr');
      await expectNames(at, []);
    });
  });
});

function useLocations(options: ScenarioOptions) {
  const scenario = useScenario(options);
  const place = (name: string) => ({ resource: SERVING_LOCATIONS, name });
  return {
    scenario,
    deliver: (name: string) => objectsOn(scenario().c1.plane.admin).apply(place(name), SPEC),
    take: (name: string) => objectsOn(scenario().c1.plane.admin).remove(place(name)),
    async cellStatus() {
      const { cells } = JSON.parse((await scenario().service.ask('/status')).body) as { cells: CellStatus[] };
      return cells.find(({ name }) => name === 'c1') ?? assert.fail('there is no c1');
    },
    expectNames: (namespace: string, wanted: string[]) =>
      scenario().service.eventually(`the hub holds ${wanted.join(', ')}`, async () => {
        const held = (await scenario().hub.slices.list(namespace)).map(({ metadata }) => metadata.name);
        assert.deepEqual(held.toSorted(), wanted);
        return true;
      }),
  };
}
