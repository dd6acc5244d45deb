// What a project declares reaches the hub, and through real Karmada exactly the cells of its location.
// A cell learns its location from what arrives, and its slices flow back.
import assert from 'node:assert/strict';
import { LOCATION } from '#api/keys.ts';
import { LOCATIONS, NAMESPACES, SERVING_LOCATIONS } from '#api/resources.ts';
import { eventually } from '#e2e/eventually.ts';
import { useFederation } from '#e2e/karmada/use-federation.ts';
import { objectsOn, type Place } from '#e2e/locations/objects-on.ts';
import { auditOf, serviceWrites } from '#e2e/scenario/hub-side.ts';
import { contextFields, NETWORK_CONTEXTS, NETWORKS, networkFields, SUBNETS } from '#e2e/scenario/project-kinds.ts';
import { slicesOf } from '#e2e/scenario/slices.ts';
import { sourceObject } from '#e2e/scenario/source-object.ts';
import type { Plane } from '#planes/plane.ts';

const DEADLINE = { deadlineMs: 60_000 };

describe('a project, through real Karmada', () => {
  const federation = useFederation({ audit: true, project: true });
  const project = (): Plane => federation().project ?? assert.fail('there is no project');
  const has = async (plane: Plane, place: Place) => (await objectsOn(plane.admin).read(place)) !== undefined;
  const expectOn = (planes: Plane[], place: Place) =>
    Promise.all(planes.map((plane) => eventually(`${plane.name} has ${place.name}`, () => has(plane, place), DEADLINE)));
  const expectGone = (planes: Plane[], place: Place) =>
    Promise.all(planes.map((plane) => eventually(`${plane.name} lost ${place.name}`, async () => !(await has(plane, place)), DEADLINE)));
  let hubNamespace = '';

  before('declare the locations', async () => {
    const { cells } = federation();
    const topology = { 'topology.datum.net/city-code': 'XYZ' };
    for (const { name } of cells) await objectsOn(project().admin).apply({ resource: LOCATIONS, name }, { spec: { topology } });
    const namespace = await objectsOn(project().admin).read({ resource: NAMESPACES, name: 'default' });
    hubNamespace = `ns-${namespace?.metadata.uid}`;
  });

  it('each serving location arrives at its own cell, which takes its name for its location', async () => {
    const { cells, service } = federation();
    for (const cell of cells) await expectOn([cell], { resource: SERVING_LOCATIONS, name: cell.name });
    assert.equal(await has(cells[0], { resource: SERVING_LOCATIONS, name: cells[1].name }), false);
    await eventually('both cells know where they are', async () => {
      const status = JSON.parse((await service.ask('/status')).body) as { cells: { name: string; location?: string }[] };
      return status.cells.every(({ name, location }) => name === location);
    });
  });

  it('a context and a subnet arrive at the cell of their location, and nowhere else', async () => {
    const { hub, cells, gateway } = federation();
    const [ams, fra] = cells;
    const declared = objectsOn(project().admin);
    await declared.apply(
      { resource: NETWORK_CONTEXTS, namespace: 'default', name: 'web-ams' },
      contextFields({ network: 'web', location: ams.name }),
    );
    const subnet = { metadata: { labels: { [LOCATION]: ams.name } }, spec: subnetSpec(ams.name) };
    await declared.apply({ resource: SUBNETS, namespace: 'default', name: 'web-ams-1' }, subnet);
    for (const place of [
      { resource: NETWORK_CONTEXTS, namespace: hubNamespace, name: 'web-ams' },
      { resource: SUBNETS, namespace: hubNamespace, name: 'web-ams-1' },
    ]) {
      await expectOn([hub, ams], place);
      for (const other of [fra, gateway]) assert.equal(await has(other, place), false);
    }
  });

  it('a context without a location arrives at no cell', async () => {
    const { hub, cells } = federation();
    const place = { resource: NETWORK_CONTEXTS, namespace: hubNamespace, name: 'web-nowhere' };
    await objectsOn(project().admin).apply({ ...place, namespace: 'default' }, contextFields({ network: 'web', location: null }));
    await expectOn([hub], place);
    // One that was declared later and has arrived shows that Karmada has been past this one.
    const later = { resource: NETWORK_CONTEXTS, namespace: hubNamespace, name: 'later' };
    await objectsOn(project().admin).apply({ ...later, namespace: 'default' }, contextFields({ network: 'web', location: cells[1].name }));
    await expectOn([cells[1]], later);
    for (const cell of cells) assert.equal(await has(cell, place), false);
  });

  it('a context whose location changes moves', async () => {
    const { hub, cells } = federation();
    const [ams, fra] = cells;
    const place = { resource: NETWORK_CONTEXTS, namespace: hubNamespace, name: 'moving' };
    const source = { ...place, namespace: 'default' };
    await objectsOn(project().admin).apply(source, contextFields({ network: 'web', location: ams.name }));
    await expectOn([hub, ams], place);
    await objectsOn(project().admin).patch(source, { metadata: { labels: { [LOCATION]: fra.name } } });
    await expectOn([fra], place);
    await expectGone([ams], place);
  });

  it('a network stays on the hub while contexts come and go, reaches no member, and goes when it is deleted', async () => {
    const { hub, cells, gateway } = federation();
    const network = { resource: NETWORKS, namespace: hubNamespace, name: 'kept' };
    const context = { resource: NETWORK_CONTEXTS, namespace: hubNamespace, name: 'kept-ams' };
    const declared = objectsOn(project().admin);
    await declared.apply({ ...network, namespace: 'default' }, networkFields());
    await declared.apply({ ...context, namespace: 'default' }, contextFields({ network: 'kept', location: cells[0].name }));
    await expectOn([hub], network);
    await expectOn([cells[0]], context);
    const uid = (await objectsOn(hub.admin).read(network))?.metadata.uid;
    await declared.remove({ ...context, namespace: 'default' });
    await expectGone([hub, cells[0]], context);
    assert.equal((await objectsOn(hub.admin).read(network))?.metadata.uid, uid);
    for (const member of [...cells, gateway])
      assert.notEqual(await member.admin.status(`/apis/networking.datumapis.com/v1alpha/networks`), 200);
    await declared.remove({ ...network, namespace: 'default' });
    await expectGone([hub], network);
  });

  it('the slices of the cell flow back to every gateway', async () => {
    const { hub, cells, gateway } = federation();
    const [ams] = cells;
    await expectOn([ams], { resource: NAMESPACES, name: hubNamespace });
    await slicesOf(ams.admin).create(sourceObject({ namespace: hubNamespace, name: 'web-0' }));
    const copy = { namespace: hubNamespace, name: `vpc-${ams.name}.web-0` };
    for (const plane of [hub, ...cells, gateway]) {
      await eventually(`${plane.name} has the copy`, () => slicesOf(plane.admin).read(copy), DEADLINE);
    }
  });

  it('the service has only read in the project and in the cells', () => {
    const planes = [project(), ...federation().cells];
    assert.deepEqual(
      planes.flatMap((plane) => serviceWrites(auditOf(plane))),
      [],
    );
  });
});

function subnetSpec(location: string) {
  return {
    subnetClass: 'private',
    networkContext: { name: `web-${location}` },
    location: { name: location },
    ipFamily: 'IPv6',
    startAddress: 'fd20::',
    prefixLength: 64,
  };
}
