// Reads of sources that fail in whatever way prove nothing: every copy stands as it is, and nothing is written.
// Once the reads are well again, what has changed meanwhile is followed.
import assert from 'node:assert/strict';
import type { RequestFault } from '#e2e/proxy/fault.ts';
import { useScenario } from '#e2e/scenario.ts';

const SLICES = { path: /\/endpointslices/ };

const FAULTS: RequestFault[] = [
  { kind: 'status', status: 500 },
  { kind: 'status', status: 403 },
  { kind: 'status', status: 401 },
  { kind: 'status', status: 410 },
  { kind: 'status', status: 429, retryAfterSeconds: 1 },
  { kind: 'not-served' },
  { kind: 'malformed' },
  { kind: 'html' },
  { kind: 'truncate', afterBytes: 100 },
  { kind: 'reset' },
];

describe('source reads that fail', () => {
  const scenario = useScenario({ writeback: { idleTimeout: '2s' } });
  afterEach(() => scenario().c1.faults.clear());

  for (const fault of FAULTS) {
    it(`leave the copies: ${JSON.stringify(fault)}`, async () => {
      const { service } = scenario();
      await failWith(fault, async () => {
        const broken = () => service.metric('fedhub_sweeps_total', { plane: 'c1', result: 'broken' });
        const second = (await broken()) + 2;
        await service.eventually('two sweeps have broken off', async () => (await broken()) >= second);
      });
    });
  }

  it('leave the copies: no answer at all', async () => {
    const { c1, service } = scenario();
    await failWith({ kind: 'hang' }, async () => {
      const second = c1.proxy.requests.count(SLICES) + 2;
      await service.eventually('it has asked twice', () => c1.proxy.requests.count(SLICES) >= second);
    });
  });

  /** Deletes one of two sources while reads fail; the copies stand until they are well again. */
  async function failWith(fault: RequestFault, untilNoticed: () => Promise<void>): Promise<void> {
    const { c1, hub, namespace, source } = scenario();
    const shared = await namespace();
    const [gone, stays] = [await source(c1, shared, 'gone').publish(), await source(c1, shared, 'stays').publish()];
    const mark = hub.mark();
    c1.faults.request(SLICES, fault);
    c1.proxy.cut(SLICES);
    await gone.delete();
    await untilNoticed();
    assert.deepEqual(hub.writesSince(mark), []);
    c1.faults.clear();
    c1.proxy.cut(SLICES);
    await gone.expectNoCopy();
    await stays.expectCopy();
  }
});
