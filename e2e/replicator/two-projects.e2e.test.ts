// Two projects may have the same namespaces and the same names in them: each has a copy of its own on the hub, and neither
// follows the other. What is changed and deleted in one does nothing to the other's copy.
import assert from 'node:assert/strict';
import { UPSTREAM_CLUSTER_NAME, UPSTREAM_NAMESPACE } from '#api/keys.ts';
import { useProjects } from '#e2e/project-scenario.ts';
import { contextFields, NETWORK_CONTEXTS, networkFields, NETWORKS } from '#e2e/scenario/project-kinds.ts';

describe('two projects with the same names', () => {
  const scenario = useProjects();

  it('have a copy each, in a namespace each', async () => {
    const { p1, p2, hub, declared } = scenario();
    const [n1, n2] = [await p1.createNamespace(), await p2.createNamespace()];
    const [same1, same2] = [n1, await p2.createNamespace(n1.name)];
    const one = await declared(p1, NETWORKS, { namespace: same1, name: 'net' }).publish(networkFields({ mtu: 1400 }));
    const two = await declared(p2, NETWORKS, { namespace: same2, name: 'net' }).publish(networkFields({ mtu: 1500 }));
    assert.notEqual(same1.hubName, same2.hubName);
    const labels = (await hub.readNamespace(same1.hubName))?.metadata.labels;
    assert.equal(labels?.[UPSTREAM_CLUSTER_NAME], 'cluster-org_p1');
    assert.equal(labels?.[UPSTREAM_NAMESPACE], n1.name);
    assert.equal(await hub.readNamespace(n2.hubName), undefined, 'no namespace without a copy');
    await one.patch({ spec: { mtu: 1401 } });
    await one.expectCopy();
    await one.delete();
    await one.expectNoCopy();
    await two.expectCopy();
  });

  it('are followed when contexts come, change and go', async () => {
    const { p1, declared } = scenario();
    const namespace = await p1.createNamespace();
    const context = await declared(p1, NETWORK_CONTEXTS, { namespace, name: 'net-dfw' }).publish(
      contextFields({ network: 'net', location: 'dfw' }),
    );
    await context.patch({ spec: { mtu: 1400 } });
    await context.expectCopy();
    await context.delete();
    await context.expectNoCopy();
  });
});
