// A namespace of a project that carries an upstream label is itself a copy: nothing in it is published, and nothing withdrawn for it.
import assert from 'node:assert/strict';
import { UPSTREAM_NAMESPACE } from '#api/keys.ts';
import { useProjects } from '#e2e/project-scenario.ts';
import { networkFields, NETWORKS } from '#e2e/scenario/project-kinds.ts';
import { labelNamespace } from '#e2e/scenario/slices.ts';

describe('a namespace that is itself a copy', () => {
  const scenario = useProjects();

  it('is no source', async () => {
    const { p1, hub, service, declared, swept } = scenario();
    const namespace = await p1.createNamespace(undefined, { [UPSTREAM_NAMESPACE]: 'elsewhere' });
    const network = await declared(p1, NETWORKS, { namespace, name: 'net' }).declare(networkFields());
    await service.expectHeld(p1.name, 'NamespaceIsCopy');
    await swept(p1);
    assert.equal(await network.copy(), undefined);
    assert.equal(await hub.readNamespace(namespace.hubName), undefined);
  });

  it('takes away nothing that was published before it became one, and is a source again when it is none', async () => {
    const { p1, service, declared, swept } = scenario();
    const namespace = await p1.createNamespace();
    const network = await declared(p1, NETWORKS, { namespace, name: 'net' }).publish(networkFields());
    await labelNamespace(p1.plane.admin, namespace.name, { [UPSTREAM_NAMESPACE]: 'elsewhere' });
    await service.expectHeld(p1.name, 'NamespaceIsCopy');
    await network.delete();
    await swept(p1);
    assert.notEqual(await network.copy(), undefined);
    await labelNamespace(p1.plane.admin, namespace.name, { [UPSTREAM_NAMESPACE]: null });
    await network.expectNoCopy();
  });
});
