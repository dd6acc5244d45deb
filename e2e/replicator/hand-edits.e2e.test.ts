// What people and other programs change on the hub is put right without a restart, where it is ours.
// What is not ours stays: others' labels on a copy and on a namespace, and an object that took the name of a copy.
import assert from 'node:assert/strict';
import { UPSTREAM_CLUSTER_NAME, UPSTREAM_NAME, UPSTREAM_NAMESPACE } from '#api/keys.ts';
import { NAMESPACES } from '#api/resources.ts';
import { objectsOn } from '#e2e/locations/objects-on.ts';
import { useProjects } from '#e2e/project-scenario.ts';
import { networkFields, NETWORKS } from '#e2e/scenario/project-kinds.ts';
import { createNamespace, labelNamespace } from '#e2e/scenario/slices.ts';

describe('a change by hand on the hub', () => {
  const scenario = useProjects();

  async function publishNetwork() {
    const { p1, declared } = scenario();
    const namespace = await p1.createNamespace();
    return { namespace, network: await declared(p1, NETWORKS, { namespace, name: 'net' }).publish(networkFields()) };
  }

  it('of the body does not last', async () => {
    const { network } = await publishNetwork();
    await network.patchCopy({ spec: { mtu: 8000 } });
    await network.expectCopy();
  });

  it('that takes off one of our labels does not last', async () => {
    const { network } = await publishNetwork();
    await network.patchCopy({ metadata: { labels: { [UPSTREAM_NAME]: null } } });
    await network.expectCopy();
  });

  it('that adds a label stays, and is not fought over', async () => {
    const { hub, p1, swept } = scenario();
    const { network } = await publishNetwork();
    await network.patchCopy({ metadata: { labels: { team: 'blue' } } });
    const mark = hub.mark();
    await swept(p1);
    assert.equal((await network.copy())?.metadata.labels?.['team'], 'blue');
    assert.deepEqual(hub.writesSince(mark), []);
  });

  it('of the status stays: it belongs to the hub', async () => {
    const { hub, p1, swept } = scenario();
    const { network } = await publishNetwork();
    const condition = { type: 'Ready', status: 'True', reason: 'Ok', message: '', lastTransitionTime: '2030-01-01T00:00:00Z' };
    await objectsOn(hub.plane.admin).patch(network.copyPlace, { status: { conditions: [condition] } }, 'status');
    await network.patch({ spec: { mtu: 1400 } });
    const copy = await network.expectCopy();
    await swept(p1);
    assert.deepEqual(copy['status'], { conditions: [condition] });
  });

  it('that deletes the copy does not last', async () => {
    const { network } = await publishNetwork();
    await network.deleteCopy();
    await network.expectCopy();
  });

  it('of the routing labels of a namespace does not last, and others’ labels stay', async () => {
    const { hub, service } = scenario();
    const { namespace } = await publishNetwork();
    await labelNamespace(hub.plane.admin, namespace.hubName, {
      team: 'blue',
      [UPSTREAM_CLUSTER_NAME]: 'cluster-other',
      [UPSTREAM_NAMESPACE]: null,
    });
    await service.eventually('the labels are right again', async () => {
      const labels = (await hub.readNamespace(namespace.hubName))?.metadata.labels;
      assert.equal(labels?.[UPSTREAM_CLUSTER_NAME], 'cluster-org_p1');
      assert.equal(labels[UPSTREAM_NAMESPACE], namespace.name);
      assert.equal(labels['team'], 'blue');
      return true;
    });
  });

  it('that deletes the namespace does not last: it comes back with its copies', async () => {
    const { hub, service } = scenario();
    const { namespace, network } = await publishNetwork();
    const before = (await hub.readNamespace(namespace.hubName))?.metadata.uid;
    await objectsOn(hub.plane.admin).remove({ resource: NAMESPACES, name: namespace.hubName });
    await service.eventually('it is another namespace', async () => {
      const uid = (await hub.readNamespace(namespace.hubName))?.metadata.uid;
      return uid !== undefined && uid !== before;
    });
    await network.expectCopy();
  });

  it('that took the name of a copy stands, and is reported; the copy comes when it is gone', async () => {
    const { hub, p1, service, declared } = scenario();
    const namespace = await p1.createNamespace();
    const network = declared(p1, NETWORKS, { namespace, name: 'net' });
    await createNamespace(hub.plane.admin, { name: namespace.hubName, labels: {} });
    await objectsOn(hub.plane.admin).apply(network.copyPlace, networkFields({ mtu: 8000 }));
    await network.declare(networkFields());
    await service.expectHeld(p1.name, 'NameTaken');
    assert.equal((await network.copy())?.metadata.labels, undefined);
    await network.deleteCopy();
    await network.expectCopy();
  });
});
