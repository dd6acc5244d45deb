// Case 17: the hub is down when the service starts.
// The service waits with its health endpoint up, says that it is not ready, and converges once the hub is there.
import assert from 'node:assert/strict';
import { useScenario } from '#e2e/scenario.ts';

describe('case 17: a hub that is down at start', () => {
  const scenario = useScenario({ stopped: true });

  it('is waited for', async () => {
    const { c1, hub, namespace, service, source } = scenario();
    hub.proxy.refuse();
    const pod = await source(c1, await namespace()).create();
    await service.start();
    assert.equal((await service.ask('/healthz')).status, 200);
    assert.equal((await service.ask('/readyz')).status, 503);
    hub.proxy.heal();
    await service.ready();
    await pod.expectCopy();
  });
});
