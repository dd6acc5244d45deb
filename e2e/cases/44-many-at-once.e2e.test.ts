// Case 44: many slices appear at once. `bench/memory-per-slice.ts` measures what thousands cost.
// All of them are published, none empty, with few requests at a time and no more than each of them needs.
import assert from 'node:assert/strict';
import { useScenario } from '#e2e/scenario.ts';
import { createAll, expectCopiesOf } from '#e2e/scenario/many.ts';

const COUNT = 1_500;
/** Keys under way at once; reports are written beside them, and an answer that is on its way still counts at the proxy. */
const CONCURRENCY = 16;
const TIMEOUT_MS = 600_000;

describe('case 44: many slices at once', () => {
  const scenario = useScenario({ sweeps: 'once', writeback: { concurrency: CONCURRENCY } });

  it(`are all published, with bounded requests: ${COUNT} of them`, async function () {
    this.timeout(TIMEOUT_MS);
    const { c1, hub, namespace, service, source } = scenario();
    const shared = await namespace();
    const pods = Array.from({ length: COUNT }, (_, index) => source(c1, shared, `pod-${index}`));
    c1.proxy.refuse();
    await createAll(pods, (index) => ({ address: addressOf(index) }));
    let most = 0;
    const look = () => {
      most = Math.max(most, hub.proxy.underWay({ watch: false }));
      return false;
    };
    hub.faults.request({ watch: false }, { kind: 'hang' }, { when: look });
    const asked = hub.proxy.requests.count({ watch: false });
    c1.proxy.heal();
    await expectCopiesOf(scenario(), shared, pods);
    assert.ok(most > 1 && most <= 2 * CONCURRENCY, `${most} requests at once`);
    const each = (hub.proxy.requests.count({ watch: false }) - asked) / COUNT;
    assert.ok(each < 2.1, `${each} requests for each copy`);
    const addresses = (await hub.slices.list(shared)).map(({ endpoints }) => JSON.stringify(endpoints).match(/fd20::[0-9a-f]+/)?.[0]);
    assert.deepEqual(new Set(addresses), new Set(pods.map((_, index) => addressOf(index))));
    await service.eventually('nothing is held', async () => (await service.metric('fedhub_held_keys', { plane: 'c1' })) === 0);
  });
});

function addressOf(index: number): string {
  return `fd20::${(index + 1).toString(16)}`;
}
