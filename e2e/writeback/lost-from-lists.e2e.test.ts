// A list that has lost a source proves nothing: before its copy goes, the source is read live, and that read must say 404 itself.
// An empty list with 200 is the lie that matters most; no number of such lists takes a live source's copy away.
import assert from 'node:assert/strict';
import type { RequestFault } from '#e2e/proxy/fault.ts';
import { useScenario } from '#e2e/scenario.ts';

const LISTS = { path: /\/endpointslices$/, watch: false };
const LIVE_READS = { path: /\/endpointslices\/pod-1$/ };

/** The second is a list that ends after its first page, because its `continue` was lost. */
const LIES: RequestFault[] = [{ kind: 'empty-list' }, { kind: 'lost-continue', objects: 1 }];

const FAULTS: RequestFault[] = [
  { kind: 'status', status: 500 },
  { kind: 'status', status: 403 },
  { kind: 'status', status: 401 },
  { kind: 'status', status: 410 },
  { kind: 'not-served' },
  { kind: 'malformed' },
  { kind: 'html' },
  { kind: 'truncate', afterBytes: 10 },
  { kind: 'reset' },
];

describe('a source that lists have lost', () => {
  const scenario = useScenario();
  afterEach(() => scenario().c1.faults.clear());

  for (const lie of LIES) {
    it(`keeps its copy as long as it can be read: ${JSON.stringify(lie)}`, async () => {
      const { c1, hub, namespace, source, service } = scenario();
      const shared = await namespace();
      const pods = [await source(c1, shared, 'a').publish(), await source(c1, shared, 'b').publish()];
      const mark = hub.mark();
      const shortened = c1.faults.request(LISTS, lie);
      await service.swept('c1');
      assert.ok(shortened.strikes > 0);
      assert.deepEqual(hub.writesSince(mark), []);
      for (const pod of pods) await pod.expectCopy();
    });
  }

  it('keeps its copy where it is lost when the service starts', async () => {
    const { c1, hub, namespace, source, service } = scenario();
    const pod = await source(c1, await namespace()).publish();
    await service.stop();
    const mark = hub.mark();
    c1.faults.request({ ...LISTS, watch: true, query: { sendInitialEvents: 'true' } }, { kind: 'status', status: 422 });
    c1.faults.request(LISTS, { kind: 'empty-list' });
    await service.start();
    await service.swept('c1');
    assert.deepEqual(hub.writesSince(mark), []);
    await pod.expectCopy();
  });

  for (const fault of FAULTS) {
    it(`keeps its copy where it cannot be read: ${JSON.stringify(fault)}`, async () => {
      const { c1, hub, namespace, source, service } = scenario();
      const pod = await source(c1, await namespace()).publish();
      const mark = hub.mark();
      c1.faults.request(LISTS, { kind: 'empty-list' });
      const failed = c1.faults.request(LIVE_READS, fault);
      await service.eventually('it was read live twice, in vain', () => failed.strikes >= 2);
      assert.deepEqual(hub.writesSince(mark), []);
      c1.faults.clear();
      await pod.expectCopy();
    });
  }
});
