// Case 11: sources change while a sweep over hundreds of slices is under way, held up by the cell.
// The changes are published before the sweep has ended. How fast, `bench/` measures.
import assert from 'node:assert/strict';
import { useScenario } from '#e2e/scenario.ts';
import { publishMany } from '#e2e/scenario/many.ts';

const COUNT = 520;
const PAGES = { path: /\/endpointslices$/, watch: false, query: { limit: '500' } };

describe('case 11: changes during a sweep', () => {
  const scenario = useScenario();
  afterEach(() => scenario().c1.faults.clear());

  it('are published before it has ended', async () => {
    const { c1, namespace, service, source } = scenario();
    const shared = await namespace();
    const [first] = await publishMany(scenario(), { cell: c1, namespace: shared, count: COUNT });
    assert.ok(first);
    const held = c1.faults.request(PAGES, { kind: 'hang' });
    await service.eventually('a sweep is under way', () => held.strikes > 0);
    const ended = await service.metric('fedhub_sweeps_total', { plane: 'c1' });
    await first.patch({ endpoints: [{ addresses: ['fd20::99'] }] });
    await first.expectCopy();
    const made = await source(c1, shared, 'made-meanwhile').publish();
    await made.delete();
    await made.expectNoCopy();
    assert.equal(await service.metric('fedhub_sweeps_total', { plane: 'c1' }), ended);
    assert.equal(c1.proxy.underWay(PAGES), 1);
  });
});
