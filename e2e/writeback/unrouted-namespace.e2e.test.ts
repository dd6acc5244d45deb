// In a namespace that no project is known for, nothing is published and nothing is touched.
// Where hub and cell disagree about the project, the hub is right: what stands there is held, and the mismatch is reported.
import assert from 'node:assert/strict';
import { UPSTREAM_CLUSTER_NAME, UPSTREAM_NAMESPACE } from '#api/keys.ts';
import { useScenario } from '#e2e/scenario.ts';

const OTHER = { [UPSTREAM_CLUSTER_NAME]: 'cluster-another', [UPSTREAM_NAMESPACE]: 'default' };

describe('a namespace without project routing', () => {
  const scenario = useScenario();

  const unresolvable: [string, Record<string, string>][] = [
    ['without labels', {}],
    ['with a project and no namespace', { [UPSTREAM_CLUSTER_NAME]: 'cluster-p' }],
    ['with a namespace and no project', { [UPSTREAM_NAMESPACE]: 'default' }],
    ['with a project label that is no project', { [UPSTREAM_CLUSTER_NAME]: 'nothing', [UPSTREAM_NAMESPACE]: 'default' }],
  ];
  for (const [how, cells] of unresolvable) {
    it(`publishes nothing: ${how}`, async () => {
      const { c1, hub, namespace, source, service } = scenario();
      const mark = hub.mark();
      const pod = await source(c1, await namespace({ cells })).create();
      await service.swept('c1');
      await service.expectHeld('c1', 'RoutingUnresolved');
      assert.equal(await pod.copy(), undefined);
      assert.deepEqual(hub.writesSince(mark), []);
    });
  }

  it('publishes nothing and reports it where hub and cell name different projects', async () => {
    const { c1, namespace, source, service } = scenario();
    const pod = await source(c1, await namespace({ hub: OTHER })).create();
    await service.expectHeld('c1', 'RoutingMismatch');
    await service.swept('c1');
    assert.equal(await pod.copy(), undefined);
  });

  it('keeps the copies that it has when it loses its labels, and follows its sources when they are back', async () => {
    const { c1, namespace, source, service } = scenario();
    const unlabelled = await namespace();
    const pod = await source(c1, unlabelled).publish();
    const labels = await c1.relabel(unlabelled, { [UPSTREAM_CLUSTER_NAME]: null });
    await service.expectHeld('c1', 'RoutingUnresolved');
    await pod.patch({ endpoints: [{ addresses: ['fd20::2'] }] });
    await service.swept('c1');
    assert.notEqual(await pod.copy(), undefined);
    await c1.relabel(unlabelled, labels);
    await pod.expectCopy();
  });
});
