// Case 40: the selector of a kind is changed in the configuration while the service runs.
// Nothing follows from that before a restart, and then only what no longer matches is withdrawn; the rest is not even written.
import assert from 'node:assert/strict';
import { useProjects } from '#e2e/project-scenario.ts';
import { networkFields, NETWORKS } from '#e2e/scenario/project-kinds.ts';

const { group, version, kind } = NETWORKS;
const selecting = (selector: string) => ({ sweepInterval: '700ms', kinds: [{ group, version, kind, selector }] });

describe('case 40: a selector that changes', () => {
  const scenario = useProjects({ replicator: selecting('tier=gold') });

  it('withdraws what no longer matches, after a restart, and leaves the rest as it is', async () => {
    const { hub, p1, p2, configure, declared, service, swept } = scenario();
    const namespace = await p1.createNamespace();
    const networks = ['a', 'b'].map((name) => declared(p1, NETWORKS, { namespace, name }));
    const [stays, goes] = networks;
    assert.ok(stays && goes);
    await stays.publish({ ...networkFields(), metadata: { labels: { tier: 'gold', zone: 'a' } } });
    await goes.publish({ ...networkFields(), metadata: { labels: { tier: 'gold', zone: 'b' } } });
    const mark = hub.mark();
    configure([p1, p2], { replicator: selecting('tier=gold,zone=a') });
    await service.eventually('the change has been seen', () => service.logs().some(({ reason }) => reason === 'replicator'));
    await swept(p1);
    assert.deepEqual(hub.writesSince(mark), []);
    await service.stop();
    await service.start();
    await goes.expectNoCopy();
    await swept(p1);
    assert.deepEqual(hub.writesSince(mark), [`delete ${namespace.hubName}/b`]);
    await stays.expectCopy();
  });
});
