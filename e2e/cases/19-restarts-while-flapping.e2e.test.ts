// Case 19: the service is restarted twenty times in a row, by a crash every other time, while its cells come and go.
// Nothing is withdrawn and nothing is written anew: by the hub's own audit log there is no write at all.
import assert from 'node:assert/strict';
import { useScenario } from '#e2e/scenario.ts';
import type { Scenario } from '#e2e/scenario.ts';

const RESTARTS = 20;
const SLICES = /\/endpointslices/;
const TIMEOUT_MS = 300_000;

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
    for (let round = 0; round < RESTARTS; round += 1) await restartWhileFlapping(scenario(), round);
    for (const { name } of [c1, c2]) await service.swept(name);
    assert.deepEqual(hub.writesSince(mark), []);
    await Promise.all(sources.map((each) => each.expectCopy()));
  });
});

/** In each round the cells fail in another way while the service starts, and come back while it is at work. */
async function restartWhileFlapping({ c1, c2, service }: Scenario, round: number): Promise<void> {
  const [first, second] = round % 2 === 0 ? [c1, c2] : [c2, c1];
  first.proxy.refuse();
  second.faults.request({ path: SLICES, query: { sendInitialEvents: 'true' } }, { kind: 'status', status: 422 });
  second.faults.request({ path: SLICES, watch: false }, FLAPS[round % FLAPS.length] ?? { kind: 'reset' });
  await (round % 2 === 0 ? service.kill() : service.stop());
  const seen = second.proxy.requests.count();
  await service.start();
  await service.eventually('the service asks a cell', () => second.proxy.requests.count() > seen);
  first.proxy.heal();
  second.faults.clear();
  second.proxy.cut();
}

const FLAPS = [
  { kind: 'status', status: 500 },
  { kind: 'empty-first-page' },
  { kind: 'status', status: 403 },
  { kind: 'truncate', afterBytes: 200 },
  { kind: 'not-served' },
] as const;
