// Case 21: two cells have one location, delivered to both or configured in two processes; one cell has two names.
// Each copy stays with the cell that published it first, the other says so, neither touches the other's, and nobody flaps.
import assert from 'node:assert/strict';
import { copyFileSync } from 'node:fs';
import { SERVING_LOCATIONS } from '#api/resources.ts';
import { writeHubConfig } from '#e2e/hub-config.ts';
import { objectsOn } from '#e2e/locations/objects-on.ts';
import { type Scenario, useScenario } from '#e2e/scenario.ts';
import { expectCopiesOf } from '#e2e/scenario/many.ts';
import { Service } from '#e2e/service.ts';
import { sharedPlanes } from '#e2e/shared-planes.ts';

const ONE = { c1: 'iad', c2: 'iad' };
const SPEC = { spec: { topology: { 'topology.datum.net/city-code': 'IAD' } } };
/** More than a sudden loss may be before it is doubted. */
const MANY = 60;

describe('case 21: two cells that are delivered one location', () => {
  const scenario = useScenario({ stopped: true, locations: ONE, unconfigured: ['c1', 'c2'] });
  const cells = () => [scenario().c1, scenario().c2];
  const place = { resource: SERVING_LOCATIONS, name: 'iad' };
  before('deliver it', async () => {
    for (const { plane } of cells()) await objectsOn(plane.admin).apply(place, SPEC);
    await scenario().service.start();
  });
  after('leave no serving location behind', async () => {
    for (const { plane } of cells()) await objectsOn(plane.admin).remove(place);
  });

  it('do not touch each other', async () => {
    const { service } = scenario();
    await doNotTouchEachOther(scenario(), { first: service, second: service });
  });

  it('are not doubted for what only the other one has', async () => {
    const { c1, c2, namespace, service, source } = scenario();
    const shared = await namespace();
    const many = Array.from({ length: MANY }, (_, index) => source(c1, shared, `pod-${index}`));
    await Promise.all(many.map((pod) => pod.create()));
    const gone = await source(c2, shared, 'gone').publish();
    await expectCopiesOf(scenario(), shared, [...many, gone]);
    await service.stop();
    await gone.delete();
    await service.start();
    await expectCopiesOf(scenario(), shared, many);
  });
});

describe('case 21: two cells of one location in two processes', () => {
  const scenario = useScenario({ stopped: true, locations: ONE });

  it('do not touch each other', async function () {
    const { environment } = await sharedPlanes(this.test?.parent ?? assert.fail());
    const { c1, c2, configure, hub, service } = scenario();
    configure([c1]);
    const configFile = writeHubConfig(`${service.configFile}.second`, {
      hub: { kubeconfig: hub.kubeconfig },
      cells: [{ name: c2.name, kubeconfig: c2.kubeconfig, location: c2.location }],
      writeback: { sweepInterval: '500ms', retryInterval: '500ms' },
    });
    const second = new Service({ environment, name: 'second-at-one-location', configFile });
    await service.start();
    await second.start();
    try {
      await doNotTouchEachOther(scenario(), { first: service, second });
    } finally {
      await second.stop();
    }
  });
});

describe('case 21: one cell under two names', () => {
  const scenario = useScenario();

  it('is published under the first, and the second is fenced', async () => {
    const { c1, c2, configure, hub, namespace, service, source } = scenario();
    const pod = await source(c1, await namespace()).publish();
    const twin = { ...c1, name: 'twin', kubeconfig: `${c1.kubeconfig}.twin`, location: 'twin' };
    copyFileSync(c1.kubeconfig, twin.kubeconfig);
    const mark = hub.mark();
    configure([c1, c2, twin]);
    await service.eventually('the twin is fenced', async () =>
      (await service.ask('/status')).body.includes('{"name":"twin","phase":"fenced","waitingFor":["IdentityFenced"]}'),
    );
    await service.expectConditionMetric('twin', 'IdentityBound', 'False IdentityShared');
    await service.swept('c1');
    assert.deepEqual(hub.writesSince(mark), []);
    await pod.patch({ endpoints: [{ addresses: ['fd20::99'] }] });
    await pod.expectCopy();
    configure([c1, c2]);
  });
});

/** One service for each cell, or one for both. */
async function doNotTouchEachOther(scenario: Scenario, { first, second }: { first: Service; second: Service }): Promise<void> {
  const { c1, c2, hub, namespace, source } = scenario;
  const shared = await namespace();
  const [mine, here] = [await source(c1, shared, 'both').publish({ address: 'fd20::1' }), await source(c1, shared, 'here').publish()];
  const [other, there] = [await source(c2, shared, 'both').create({ address: 'fd20::2' }), await source(c2, shared, 'there').publish()];
  await second.expectHeld('c2', 'NameTaken');
  const mark = hub.mark();
  await first.swept('c1');
  await second.swept('c2');
  assert.deepEqual(hub.writesSince(mark), []);
  assert.deepEqual([await heldAs(first, 'c1'), await heldAs(second, 'c2')], [0, 1]);
  for (const pod of [mine, here, there]) await pod.expectCopy();
  await mine.delete();
  await other.expectCopy();
  await here.delete();
  await here.expectNoCopy();
  await there.expectCopy();
}

function heldAs(service: Service, plane: string): Promise<number> {
  return service.metric('fedhub_held_keys', { plane, reason: 'NameTaken' });
}
