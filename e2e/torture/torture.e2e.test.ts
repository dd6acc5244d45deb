// A handful of random schedules against real API servers: producers, faults, crashes and restored stores, as they come.
// No copy is withdrawn whose source was there, nothing else is written, and the hub is right in the end. `make torture` plays many.
import assert from 'node:assert/strict';
import { describeRun, run } from '#e2e/torture/run.ts';
import { openStage } from '#e2e/torture/stage.ts';
import type { Stage } from '#e2e/torture/stage.ts';

/** The first start may have to build the programs. */
const START_MS = 20 * 60_000;
const RUN_MS = 8 * 60_000;
const REQUEST = { firstSeed: 1, schedules: 4, mostFailures: 2, mostMs: RUN_MS - 60_000 };

describe('random schedules on real API servers', () => {
  let stage: Stage;

  before('open the stage', async function () {
    this.timeout(START_MS);
    stage = await openStage((line) => console.log(`      ${line}`));
  });
  after('close the stage', () => stage?.close());

  it('never withdraw anything wrongly, and end with a hub that is right', async function () {
    this.timeout(RUN_MS);
    const result = await run(stage, REQUEST, (line) => console.log(line));
    console.log(describeRun(result).replaceAll(/^/gm, '      '));
    assert.deepEqual(
      result.failed.map(({ seed, violations }) => ({ seed, violations })),
      [],
    );
    assert.equal(result.played, REQUEST.schedules);
  });
});
