// Case 9: the service starts with hundreds of copies in place, each of which has to be written anew, and the last source changes at once.
// Its change is published before most of the others: what happens now goes before the pass over what was there.
import assert from 'node:assert/strict';
import { UPSTREAM_NAMESPACE } from '#api/keys.ts';
import { useScenario } from '#e2e/scenario.ts';
import { publishMany } from '#e2e/scenario/many.ts';
import { labelNamespace } from '#e2e/scenario/slices.ts';

const COUNT = 500;
const TIMEOUT_MS = 300_000;
const WRITES = { method: 'PATCH', path: /endpointslices/ };
/** So slow that the pass is still at its beginning when the last source has changed, on a machine that is fast too. */
const SLOW_WRITE_MS = 100;

describe('case 9: a change right after a start', () => {
  const scenario = useScenario({ sweeps: 'once', writeback: { concurrency: 16 } });

  it(`is published before the pass over ${COUNT} copies is half done`, async function () {
    this.timeout(TIMEOUT_MS);
    const { c1, hub, namespace, service, source } = scenario();
    const shared = await namespace();
    await publishMany(scenario(), { cell: c1, namespace: shared, count: COUNT });
    const last = await source(c1, shared, 'zz-last').publish();
    await service.stop();
    // The copies of a namespace carry its project: with another one, every one of them is wrong.
    const moved = { [UPSTREAM_NAMESPACE]: 'moved' };
    await Promise.all([labelNamespace(hub.plane.admin, shared, moved), c1.relabel(shared, moved)]);
    hub.faults.request(WRITES, { kind: 'delay', ms: SLOW_WRITE_MS });
    const [mark, asked] = [hub.mark(), hub.proxy.requests.count(WRITES)];
    await service.start();
    await service.eventually('the pass has begun', () => hub.proxy.requests.count(WRITES) > asked);
    await last.patch({ endpoints: [{ addresses: ['fd20::99'] }] });
    await last.expectCopy();
    hub.faults.clear();
    await service.eventually('the pass is over', () => hub.proxy.requests.count(WRITES) > asked + COUNT, { deadlineMs: TIMEOUT_MS });
    await service.sweptOnce('c1');
    const writes = hub.writesSince(mark);
    assert.ok(writes.length > COUNT, `${writes.length} writes`);
    const before = writes.indexOf(`patch ${shared}/${last.copyKey.name}`);
    assert.ok(before >= 0 && before < COUNT / 2, `${before} of ${writes.length} writes came before`);
    const projects = new Set((await hub.slices.list(shared)).map(({ metadata }) => metadata.labels?.[UPSTREAM_NAMESPACE]));
    assert.deepEqual([...projects], ['moved']);
  });
});
