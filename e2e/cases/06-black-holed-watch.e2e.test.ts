// Case 6: a cell's connections fall silent without an end, as when a firewall forgets them.
// The silence is noticed within the idle deadline and observing goes on over new connections.
import { useScenario } from '#e2e/scenario.ts';

describe('case 6: connections that fall silent', () => {
  const scenario = useScenario({ sweeps: 'once', writeback: { idleTimeout: '2s' } });

  it('are noticed and replaced', async () => {
    const { c1, namespace, source } = scenario();
    const pod = await source(c1, await namespace()).publish();
    c1.proxy.swallow();
    await pod.patch({ endpoints: [{ addresses: ['fd20::2'] }] });
    await pod.expectCopy();
  });

  it('are noticed on the way to the hub too', async () => {
    const { c1, hub, namespace, source } = scenario();
    const pod = await source(c1, await namespace()).publish();
    hub.proxy.swallow();
    await hub.slices.delete(pod.copyKey);
    await pod.expectCopy({ deadlineMs: 60_000 });
  });
});
