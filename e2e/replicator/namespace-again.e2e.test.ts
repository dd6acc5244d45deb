// A namespace that is deleted and made again has another uid, hence another namespace on the hub.
// What is declared in the new one is published there; what stood in the old one goes; the old hub namespace itself stays.
import assert from 'node:assert/strict';
import { useProjects } from '#e2e/project-scenario.ts';
import { networkFields, NETWORKS } from '#e2e/scenario/project-kinds.ts';

describe('a namespace that is made again', () => {
  const scenario = useProjects();

  it('has its copies in the new place, and none in the old one', async () => {
    const { p1, hub, declared } = scenario();
    const old = await p1.createNamespace();
    const names = ['stays', 'goes'];
    const before = names.map((name) => declared(p1, NETWORKS, { namespace: old, name }));
    for (const network of before) await network.publish(networkFields());
    await p1.deleteNamespace(old.name);
    const again = await p1.createNamespace(old.name);
    assert.notEqual(again.hubName, old.hubName);
    await declared(p1, NETWORKS, { namespace: again, name: 'stays' }).publish(networkFields());
    for (const network of before) await network.expectNoCopy();
    assert.notEqual(await hub.readNamespace(old.hubName), undefined, 'no namespace of the hub is ever deleted');
  });

  it('while the service is down ends the same', async () => {
    const { p1, service, declared } = scenario();
    const old = await p1.createNamespace();
    const before = await declared(p1, NETWORKS, { namespace: old, name: 'net' }).publish(networkFields());
    await service.stop();
    await p1.deleteNamespace(old.name);
    const again = await p1.createNamespace(old.name);
    const network = await declared(p1, NETWORKS, { namespace: again, name: 'net' }).declare(networkFields());
    await service.start();
    await network.expectCopy();
    await before.expectNoCopy();
  });
});
