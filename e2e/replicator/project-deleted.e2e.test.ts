// A dead hub never holds up a tenant's deletion: no finalizer of ours is anywhere. When the hub is back, copies go on proof.
import assert from 'node:assert/strict';
import { useProjects } from '#e2e/project-scenario.ts';
import { contextFields, NETWORK_CONTEXTS, networkFields, NETWORKS } from '#e2e/scenario/project-kinds.ts';

describe('a project that is deleted whole', () => {
  const scenario = useProjects();

  async function publishProject() {
    const { p1, declared } = scenario();
    const namespaces = [await p1.createNamespace(), await p1.createNamespace()];
    const all = [];
    for (const namespace of namespaces) {
      all.push(await declared(p1, NETWORKS, { namespace, name: 'net' }).publish(networkFields()));
      const context = declared(p1, NETWORK_CONTEXTS, { namespace, name: 'net-dfw' });
      all.push(await context.publish(contextFields({ network: 'net', location: 'dfw' })));
    }
    return { namespaces, all };
  }

  it('while the hub is away goes at once, and its copies when the hub is back', async () => {
    const { p1, hub } = scenario();
    const { namespaces, all } = await publishProject();
    hub.faults.request({}, { kind: 'reset' });
    hub.proxy.cut();
    for (const { name } of namespaces) await p1.deleteNamespace(name);
    hub.faults.clear();
    for (const object of all) await object.expectNoCopy();
  });

  it('while the service is down goes at once, and its copies when the service is back', async () => {
    const { p1, service } = scenario();
    const { namespaces, all } = await publishProject();
    await service.kill();
    for (const { name } of namespaces) await p1.deleteNamespace(name);
    await service.start();
    for (const object of all) await object.expectNoCopy();
  });

  it('leaves its copies while the project itself cannot be asked, and delays no other project', async () => {
    const { p1, p2, hub, declared } = scenario();
    const { namespaces, all } = await publishProject();
    p1.faults.request({}, { kind: 'hang' });
    p1.proxy.cut();
    for (const { name } of namespaces) await p1.deleteNamespace(name);
    const mark = hub.mark();
    const other = declared(p2, NETWORKS, { namespace: await p2.createNamespace(), name: 'net' });
    await other.publish(networkFields());
    for (const object of all) assert.notEqual(await object.copy(), undefined);
    assert.ok(!hub.writesSince(mark).some((write) => write.startsWith('delete')));
    p1.faults.clear();
    p1.proxy.cut();
    for (const object of all) await object.expectNoCopy();
  });

  it('waits for a finalizer of somebody else’s with its copy in place, and without a hot loop', async () => {
    const { p1, hub, declared, swept } = scenario();
    const network = declared(p1, NETWORKS, { namespace: await p1.createNamespace(), name: 'net' });
    await network.publish({ ...networkFields(), metadata: { finalizers: ['example.com/slow'] } });
    const mark = hub.mark();
    await network.delete();
    await swept(p1);
    assert.deepEqual(hub.writesSince(mark), []);
    await network.expectCopy();
    await network.patch({ metadata: { finalizers: null } });
    await network.expectNoCopy();
  });
});
