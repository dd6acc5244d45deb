// Through real Karmada, what belongs to a location reaches the cells of that location and no other; a Network reaches none.
import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { fileURLToPath } from 'node:url';
import { CLUSTER_LOCATION, LOCATION, REMOVAL_BLOCKED } from '#api/keys.ts';
import { CLUSTER_PROPAGATION_POLICIES, KARMADA_CLUSTERS, LOCATIONS, NAMESPACES, type Resource, SERVING_LOCATIONS } from '#api/resources.ts';
import { eventually } from '#e2e/eventually.ts';
import { grantRights } from '#e2e/locations/location-scene.ts';
import { objectsOn, type Place } from '#e2e/locations/objects-on.ts';
import { PublisherRun } from '#e2e/locations/publisher-run.ts';
import { PLANES_TIMEOUT_MS } from '#e2e/shared-planes.ts';
import { isRecord } from '#kube/objects.ts';
import { startEnvironment } from '#planes/environment.ts';
import type { Environment } from '#planes/environment.ts';
import { joinCluster } from '#planes/join-cluster.ts';
import { applyManifest } from '#planes/manifests.ts';
import type { Plane } from '#planes/plane.ts';

const fixture = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const CRDS = ['network', 'network-context', 'subnet', 'serving-location', 'location'].map((name) => fixture(`e2e/crds/${name}.yaml`));
const NAMESPACE = 'ns-of-a-project';
/** Karmada retries what failed after some seconds. */
const DELIVERY = { deadlineMs: 60_000 };

const kind = (name: string): Resource => ({ ...LOCATIONS, kind: name, plural: `${name.toLowerCase()}s`, namespaced: true });
const CONTEXTS = kind('NetworkContext');
const NETWORKS = kind('Network');
const SUBNETS = kind('Subnet');

describe('through real Karmada', () => {
  let environment: Environment;
  let hub: Plane;
  let cells: Record<'dfw' | 'ams', Plane>;
  let source: Plane;
  let publisher: PublisherRun;

  before('start the federation', async function () {
    this.timeout(PLANES_TIMEOUT_MS);
    environment = await startEnvironment({ karmada: true });
    const member = { manifests: CRDS, namespaceController: true };
    const [theHub, dfw, ams, locations] = await Promise.all([
      environment.startHub({ manifests: CRDS }),
      environment.startCell('dfw', member),
      environment.startCell('ams', member),
      environment.startCell('locations', { manifests: CRDS }),
    ]);
    [hub, source, cells] = [theHub, locations, { dfw, ams }];
    await grantRights({ hub, source });
    await applyManifest(hub, fixture('config/policies/gateway.yaml'));
    for (const location of ['dfw', 'ams'] as const) await joinCluster(hub, cells[location], { gateways: true, location });
    publisher = new PublisherRun({ hub, source });
    await publisher.start();
    await objectsOn(hub.admin).apply({ resource: NAMESPACES, name: NAMESPACE }, {});
    for (const name of ['dfw', 'ams'])
      await objectsOn(source.admin).apply({ resource: LOCATIONS, name }, { spec: { topology: { 'topology.datum.net/city-code': name } } });
  });
  afterEach('show what the publisher said', function () {
    if (this.currentTest?.state === 'failed') console.log(`The publisher's last lines:\n${publisher.logTail()}`);
  });
  after('stop the federation', async () => {
    await publisher?.stop();
    await environment?.stop();
  });

  const on = (location: 'dfw' | 'ams', place: Place) => objectsOn(cells[location].admin).read(place);
  const arrives = (location: 'dfw' | 'ams', place: Place) =>
    eventually(`${place.name} at ${location}`, () => on(location, place), DELIVERY);
  const leaves = (location: 'dfw' | 'ams', place: Place) =>
    eventually(`${place.name} gone from ${location}`, async () => !(await on(location, place)), DELIVERY);

  it('a serving location reaches its own cell whole, and no other', async () => {
    const place = { resource: SERVING_LOCATIONS, name: 'dfw' };
    const arrived = await arrives('dfw', place);
    const onHub = await objectsOn(hub.admin).read(place);
    assert.deepEqual(arrived['spec'], onHub?.['spec']);
    await arrives('ams', { resource: SERVING_LOCATIONS, name: 'ams' });
    assert.deepEqual([await on('ams', place), await on('dfw', { resource: SERVING_LOCATIONS, name: 'ams' })], [undefined, undefined]);
  });

  it('a context and a subnet reach the cell of their location, and no other; one without a location reaches none; a Network neither', async () => {
    const labels = (location?: string) => ({ metadata: { labels: location === undefined ? {} : { [LOCATION]: location } } });
    const context = (location: string) => ({ spec: { network: { name: 'net' }, location: { name: location }, ipFamilies: ['IPv6'] } });
    const subnet = {
      spec: {
        subnetClass: 'any',
        networkContext: { name: 'net-dfw' },
        location: { name: 'dfw' },
        ipFamily: 'IPv6',
        startAddress: 'fd00::',
        prefixLength: 64,
      },
    };
    const place = (resource: Resource, name: string) => ({ resource, namespace: NAMESPACE, name });
    const { apply } = objectsOn(hub.admin);
    await apply(place(NETWORKS, 'net'), { ...labels('dfw'), spec: { ipam: { mode: 'Auto' } } });
    await apply(place(CONTEXTS, 'net-lost'), { ...labels(), ...context('dfw') });
    await apply(place(CONTEXTS, 'net-dfw'), { ...labels('dfw'), ...context('dfw') });
    await apply(place(SUBNETS, 'net-dfw'), { ...labels('dfw'), ...subnet });
    await apply(place(CONTEXTS, 'net-ams'), { ...labels('ams'), ...context('ams') });
    const arrived = await arrives('dfw', place(CONTEXTS, 'net-dfw'));
    assert.ok(isRecord(arrived['spec']) && isDeepStrictEqual(arrived['spec']['location'], { name: 'dfw' }));
    await arrives('dfw', place(SUBNETS, 'net-dfw'));
    // What was written after the others has arrived, so they would have too.
    await arrives('ams', place(CONTEXTS, 'net-ams'));
    // A kind of which nothing was ever asked there answers 429 for a moment.
    const namesAt = (location: 'dfw' | 'ams', resource: Resource) =>
      eventually(`a list of ${resource.plural}`, async () => {
        const objects = await objectsOn(cells[location].admin).list(resource);
        return objects.map(({ metadata }) => metadata.name);
      });
    assert.deepEqual(await namesAt('dfw', CONTEXTS), ['net-dfw']);
    assert.deepEqual(await namesAt('ams', CONTEXTS), ['net-ams']);
    assert.deepEqual(await namesAt('dfw', SUBNETS), ['net-dfw']);
    assert.deepEqual(await namesAt('ams', SUBNETS), []);
    for (const location of ['dfw', 'ams'] as const) assert.deepEqual(await namesAt(location, NETWORKS), []);
  });

  it('no policy on the hub selects a Network', async () => {
    const policies = await objectsOn(hub.admin).list(CLUSTER_PROPAGATION_POLICIES);
    assert.deepEqual(policies.map(({ metadata }) => metadata.name).sort(), ['gateways', 'location-ams', 'location-dfw']);
    for (const { spec } of policies) assert.ok(!JSON.stringify(spec).includes('"Network"'));
  });

  it('a change of a location reaches its cell', async () => {
    await objectsOn(source.admin).patch({ resource: LOCATIONS, name: 'dfw' }, { spec: { topology: { 'example.com/row': '7' } } });
    const look = async () =>
      JSON.stringify((await on('dfw', { resource: SERVING_LOCATIONS, name: 'dfw' }))?.['spec']).includes('example.com/row');
    await eventually('the change at dfw', look, DELIVERY);
  });

  it('a location that is gone stays at its cell while that serves it, then leaves the hub and the cell', async () => {
    const place = { resource: SERVING_LOCATIONS, name: 'ams' };
    await objectsOn(source.admin).remove({ resource: LOCATIONS, name: 'ams' });
    const blocked = async () => (await objectsOn(hub.admin).read(place))?.metadata.annotations?.[REMOVAL_BLOCKED];
    assert.equal(await eventually('the removal is blocked', blocked), 'ClustersStillServing: Ready with location "ams": ams');
    assert.ok(await on('ams', place));
    await objectsOn(hub.admin).patch({ resource: KARMADA_CLUSTERS, name: 'ams' }, { metadata: { labels: { [CLUSTER_LOCATION]: 'fra' } } });
    await leaves('ams', place);
    const left = async () => (await objectsOn(hub.admin).list(CLUSTER_PROPAGATION_POLICIES)).map(({ metadata }) => metadata.name).sort();
    await eventually('the policy is gone', async () => isDeepStrictEqual(await left(), ['gateways', 'location-dfw']));
    assert.equal(await objectsOn(hub.admin).read(place), undefined);
  });

  it('once everything has arrived nothing is written any more', async () => {
    await publisher.passed();
    const versions = async () => (await objectsOn(hub.admin).list(SERVING_LOCATIONS)).map(({ metadata }) => metadata.generation);
    const before = await versions();
    const wrote = () => publisher.log.lines.filter(({ message }) => message === 'A copy changed').length;
    const count = wrote();
    await publisher.passed();
    assert.deepEqual([await versions(), wrote()], [before, count]);
  });
});
