// Case 19: the service is restarted twenty times in a row, by a crash every other time, while its cells come and go.
// Nothing is withdrawn and nothing is written anew: by the hub's own audit log there is no write at all.
import assert from 'node:assert/strict';
import type { RequestFault } from '#e2e/proxy/fault.ts';
import { useScenario } from '#e2e/scenario.ts';
import type { Scenario } from '#e2e/scenario.ts';

const RESTARTS = 20;
/** Half a second each on an idle machine. */
const TIMEOUT_MS = 600_000;

const LISTS = { path: /\/endpointslices$/, watch: false };
const STREAMED_LISTS = { path: /\/endpointslices$/, query: { sendInitialEvents: 'true' } };
const LIVE_READS = { path: /\/endpointslices\/pod-/ };

/** How lists of slices fail, and reads of one slice at the same time. After an empty list every source is read. */
const FLAPS: readonly { lists: RequestFault; reads: RequestFault }[] = [
  { lists: { kind: 'empty-list' }, reads: { kind: 'status', status: 500 } },
  { lists: { kind: 'status', status: 500 }, reads: { kind: 'reset' } },
  { lists: { kind: 'empty-list' }, reads: { kind: 'not-served' } },
  { lists: { kind: 'truncate', afterBytes: 200 }, reads: { kind: 'html' } },
  { lists: { kind: 'empty-list' }, reads: { kind: 'status', status: 403 } },
];

describe('case 19: restarts in a row with cells flapping', () => {
  const scenario = useScenario();

  it(`withdraw nothing: ${RESTARTS} of them`, async function () {
    this.timeout(TIMEOUT_MS);
    const { c1, c2, hub, namespace, service, source } = scenario();
    const shared = await namespace();
    const names = Array.from({ length: 10 }, (_, index) => `pod-${index}`);
    const sources = [c1, c2].flatMap((cell) => names.map((name) => source(cell, shared, name)));
    await Promise.all(sources.map((each) => each.publish()));
    const mark = hub.mark();
    for (let round = 0; round < RESTARTS; round += 1) {
      await restartWhileFlapping(scenario(), round);
      assert.deepEqual(hub.writesSince(mark), []);
    }
    for (const { name } of [c1, c2]) await service.swept(name);
    assert.deepEqual(hub.writesSince(mark), []);
    await Promise.all(sources.map((each) => each.expectCopy()));
  });
});

/** One cell is away while the service starts and the other one fails; both come back while it is at work. */
async function restartWhileFlapping({ c1, c2, service }: Scenario, round: number): Promise<void> {
  const [away, failing] = round % 2 === 0 ? [c1, c2] : [c2, c1];
  const flap = FLAPS[round % FLAPS.length] ?? FLAPS[0];
  assert.ok(flap);
  await (round % 2 === 0 ? service.kill() : service.stop());
  away.proxy.refuse();
  failing.faults.request(STREAMED_LISTS, { kind: 'status', status: 422 });
  const lists = failing.faults.request(LISTS, flap.lists);
  const reads = failing.faults.request(LIVE_READS, flap.reads);
  await service.start();
  const struck = flap.lists.kind === 'empty-list' ? reads : lists;
  await service.eventually('what fails has been asked for', () => struck.strikes > 1);
  away.proxy.heal();
  failing.faults.clear();
  failing.proxy.cut();
}
