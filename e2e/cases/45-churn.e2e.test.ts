// Case 45: many sources stand still while one is made and deleted over and over.
// Nothing is left behind: no connection, no held or waiting key, no remembered source.
import assert from 'node:assert/strict';
import { useScenario } from '#e2e/scenario.ts';
import { publishMany } from '#e2e/scenario/many.ts';

const STILL = 100;
const ROUNDS = 200;

describe('case 45: a source that comes and goes', () => {
  const scenario = useScenario();

  it('leaves nothing behind', async () => {
    const { c1, namespace, service, source } = scenario();
    const shared = await namespace();
    await publishMany(scenario(), { cell: c1, namespace: shared, count: STILL });
    const restless = source(c1, shared, 'restless');
    const round = async () => {
      await restless.create();
      await restless.delete();
    };
    await round();
    await restless.expectNoCopy();
    const before = await service.metric('process_open_fds');
    for (let rounds = 0; rounds < ROUNDS; rounds += 1) await round();
    await restless.expectNoCopy();
    await service.swept('c1');
    assert.equal(await service.metric('fedhub_sources', { plane: 'c1' }), STILL);
    assert.equal(await service.metric('fedhub_held_keys', { plane: 'c1' }), 0);
    // A burst may use more of the connections that are allowed at once; a leak would use one a round.
    assert.ok((await service.metric('process_open_fds')) - before < ROUNDS / 2);
  });
});
