// Case 7: an API server goes and comes back a hundred times.
// Neither connections nor watches pile up, the service asks with growing patience, and then works as before.
import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { useScenario } from '#e2e/scenario.ts';
import type { Scenario } from '#e2e/scenario.ts';

describe('case 7: an API server that comes and goes', () => {
  const scenario = useScenario({ writeback: { idleTimeout: '10s' } });

  it('leaves neither connections nor watches behind', async () => {
    const { c1, namespace, service, source } = scenario();
    const pod = await source(c1, await namespace()).publish();
    const watches = c1.proxy.underWay({ watch: true });
    const asked = c1.proxy.requests.count();
    for (let round = 0; round < 100; round += 1) await comeAndGo(scenario());
    assert.ok(c1.proxy.requests.count() - asked < 100, JSON.stringify(c1.proxy.requests.byPath()));
    await service.eventually('it watches as before', () => c1.proxy.underWay({ watch: true }) === watches, { deadlineMs: 90_000 });
    await pod.patch({ endpoints: [{ addresses: ['fd20::2'] }] });
    await pod.expectCopy();
    assert.equal(c1.proxy.underWay({ watch: true }), watches);
  });

  it('is found again when it was really killed', async () => {
    const { c1, namespace, source } = scenario();
    const pod = await source(c1, await namespace()).publish();
    await c1.plane.kill('kube-apiserver');
    await c1.plane.start();
    await pod.patch({ endpoints: [{ addresses: ['fd20::3'] }] });
    await pod.expectCopy();
  });
});

/** Gone while the admin asks it something directly, which takes as long as a request takes, and back for a turn of the loop. */
async function comeAndGo({ c1 }: Scenario): Promise<void> {
  c1.proxy.refuse();
  await c1.plane.admin.status('/readyz');
  c1.proxy.heal();
  await turn();
}
