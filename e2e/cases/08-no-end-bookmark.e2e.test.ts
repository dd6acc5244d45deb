// Case 8: a server accepts a streamed list and never sends the bookmark that ends it.
// The service falls back to a list in pages within bounded time; what the stream showed is no proof of what it did not show.
import assert from 'node:assert/strict';
import { useScenario } from '#e2e/scenario.ts';

describe('case 8: a streamed list without its end', () => {
  const scenario = useScenario({ stopped: true, sweeps: 'once', writeback: { idleTimeout: '2s' } });
  afterEach(() => {
    scenario().c1.faults.clear();
    scenario().hub.faults.clear();
  });

  it('of a cell is replaced by pages', async () => {
    const { c1, hub, namespace, service, source } = scenario();
    const dropped = c1.faults.event({ of: { path: /endpointslices/ }, endOfList: true }, 'drop');
    const shared = await namespace();
    const [gone, stays] = [await source(c1, shared, 'gone').create(), await source(c1, shared, 'stays').create()];
    await service.start();
    await stays.expectCopy();
    await gone.delete();
    await gone.expectNoCopy();
    assert.ok(dropped.strikes > 0);
    assert.deepEqual(
      hub.writesSince(0).filter((write) => write === `delete ${shared}/${stays.copyKey.name}`),
      [],
    );
  });

  it('of the hub is replaced by pages', async () => {
    const { c1, hub, namespace, service, source } = scenario();
    await service.stop();
    const dropped = hub.faults.event({ of: { path: /endpointslices/ }, endOfList: true }, 'drop');
    const pod = await source(c1, await namespace()).create();
    await service.start();
    await pod.expectCopy();
    assert.ok(dropped.strikes > 0);
  });
});
