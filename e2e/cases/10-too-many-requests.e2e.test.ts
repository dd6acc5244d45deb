// Case 10: a cell answers every request with 429 and a Retry-After for a while.
// The requests to it fall to what it asks for, the other cell goes on, nothing is withdrawn, and then everything is caught up with.
import assert from 'node:assert/strict';
import { useScenario } from '#e2e/scenario.ts';
import { expectCopiesOf, publishMany } from '#e2e/scenario/many.ts';

const RETRY_AFTER_S = 1;
/** Watches of slices, namespaces and serving locations, and one request that tries on behalf of all others. */
const STREAMS = 4;
/** Requests that are under way when the first answer comes. */
const UNDER_WAY = 8;
const COUNT = 60;

describe('case 10: a cell that has too many requests', () => {
  const scenario = useScenario({ writeback: { concurrency: UNDER_WAY } });

  it('is asked as often as it asks for, and holds up no other', async () => {
    const { c1, c2, hub, namespace, service, source } = scenario();
    const shared = await namespace();
    const sources = await publishMany(scenario(), { cell: c1, namespace: shared, count: COUNT });
    const mark = hub.mark();
    const refused = c1.faults.request({}, { kind: 'status', status: 429, retryAfterSeconds: RETRY_AFTER_S });
    const sinceMs = performance.now();
    c1.proxy.cut();
    // Each of them is to be restored, for which the cell is asked.
    await hub.slices.clear(shared);
    await sources[0]?.delete();
    const elsewhere = await source(c2, shared, 'elsewhere').publish();
    await service.eventually('the cell has refused for a while', () => refused.strikes >= 5 * STREAMS);
    const turns = 1 + (performance.now() - sinceMs) / (RETRY_AFTER_S * 1000);
    assert.ok(refused.strikes <= UNDER_WAY + STREAMS * turns, `${refused.strikes} requests in ${turns} turns`);
    assert.deepEqual(
      hub.writesSince(mark).filter((write) => write.startsWith('delete') || write.includes('vpc-dfw.')),
      [],
    );
    refused.lift();
    await expectCopiesOf(scenario(), shared, [...sources.slice(1), elsewhere]);
  });
});
