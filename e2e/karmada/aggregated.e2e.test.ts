// With Karmada's Cluster API served by its aggregated API server, as in production, nothing is different for us:
// a slice reaches every gateway and is withdrawn from every gateway.
import assert from 'node:assert/strict';
import { deliver, gatewaysOf, useFederation } from '#e2e/karmada/use-federation.ts';

describe('with the aggregated Karmada API server', () => {
  const federation = useFederation({ aggregated: true });

  it('its Cluster API is served by it', () => {
    assert.notEqual(federation().hub.logTail('karmada-aggregated-apiserver'), '');
  });

  it('a slice reaches every gateway and goes with its source', async () => {
    const it = await deliver(federation());
    await it.expectOn(gatewaysOf(federation()));
    await it.delete();
    await it.expectGone([federation().hub, ...gatewaysOf(federation())]);
  });
});
