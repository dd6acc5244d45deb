// Where nothing changes, nothing is written at all: not by sweeps, not by a restart.
// Every write would be carried to every gateway; counted by the hub's own audit log.
import assert from 'node:assert/strict';
import { useScenario } from '#e2e/scenario.ts';

describe('a steady state', () => {
  const scenario = useScenario();

  before('publish some slices', async () => {
    const { c1, c2, namespace, source } = scenario();
    const shared = await namespace();
    for (const name of ['a', 'b', 'c']) await source(c1, shared, name).publish({ fields: { ports: [{ port: 80 }] } });
    await source(c2, shared, 'long-'.repeat(40) + 'd').publish({ sid: null });
    await source(c1, await namespace({ hub: false }), 'waiting').create();
  });

  it('sees no write over two sweeps of each cell', async () => {
    const { hub, service } = scenario();
    const mark = hub.mark();
    await service.swept('c1');
    await service.swept('c2');
    assert.deepEqual([...hub.writesSince(mark), ...hub.eventsSince(mark)], []);
  });

  it('sees no write by a service that is started anew', async () => {
    const { hub, service } = scenario();
    const mark = hub.mark();
    await service.stop();
    await service.start();
    await service.swept('c1');
    await service.swept('c2');
    assert.deepEqual([...hub.writesSince(mark), ...hub.eventsSince(mark)], []);
  });
});
