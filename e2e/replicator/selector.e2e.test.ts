// A kind may be configured with a label selector: only what matches is copied, and what stops matching loses its copy.
import assert from 'node:assert/strict';
import { useProjects } from '#e2e/project-scenario.ts';
import { networkFields, NETWORKS } from '#e2e/scenario/project-kinds.ts';

const { group, version, kind } = NETWORKS;

describe('a selector', () => {
  const scenario = useProjects({ replicator: { kinds: [{ group, version, kind, selector: 'tier in (gold, silver),!hidden' }] } });
  const labelled = (labels: Record<string, string>) => ({ ...networkFields(), metadata: { labels } });

  it('lets through what matches, and nothing else', async () => {
    const { p1, declared, swept } = scenario();
    const namespace = await p1.createNamespace();
    const [gold, bronze, hidden] = ['gold', 'bronze', 'hidden'].map((name) => declared(p1, NETWORKS, { namespace, name }));
    assert.ok(gold && bronze && hidden);
    await bronze.declare(labelled({ tier: 'bronze' }));
    await hidden.declare(labelled({ tier: 'gold', hidden: '' }));
    await gold.publish(labelled({ tier: 'gold' }));
    await swept(p1);
    for (const network of [bronze, hidden]) assert.equal(await network.copy(), undefined);
  });

  it('withdraws what stops matching, and publishes it when it matches again', async () => {
    const { p1, declared } = scenario();
    const network = declared(p1, NETWORKS, { namespace: await p1.createNamespace(), name: 'net' });
    await network.publish(labelled({ tier: 'silver' }));
    await network.patch({ metadata: { labels: { tier: 'bronze' } } });
    await network.expectNoCopy();
    await network.patch({ metadata: { labels: { tier: 'gold' } } });
    await network.expectCopy();
  });
});
