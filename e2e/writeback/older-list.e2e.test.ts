// A cell whose list is of an older version than what its watch has shown: its store may have been restored, so that no absence is
// believed unconfirmed, however few sources are missing.
import assert from 'node:assert/strict';
import { reportSide } from '#e2e/scenario/report-side.ts';
import { useScenario } from '#e2e/scenario.ts';

const LISTS = { path: /\/endpointslices$/, watch: false };
/** More than there are: the oldest version that a server can show. */
const VERSIONS = 1_000_000;

describe('a cell that lists an older version than before', () => {
  const scenario = useScenario({ writeback: { shrinkGuard: { confirmAfter: 'never' } } });

  it('has not one copy withdrawn for what it lacks, and is believed again once nothing is missing', async () => {
    const { c1, hub, namespace, source, service } = scenario();
    const report = reportSide(hub.plane, 'c1');
    const at = await namespace();
    const [gone, stays] = [await source(c1, at, 'gone').publish(), await source(c1, at, 'stays').publish()];
    const older = c1.faults.request(LISTS, { kind: 'older-list', versions: VERSIONS });
    c1.faults.event({ type: 'DELETED', name: 'gone' }, 'drop');
    await gone.delete();
    await report.expectCondition('Frozen', 'True ShrinkFrozen');
    await service.swept('c1');
    assert.ok(older.strikes > 0);
    assert.ok(await gone.copy());
    c1.faults.clear();
    await gone.publish();
    await stays.expectCopy();
    await report.expectCondition('Frozen', 'False NothingFrozen');
    await gone.delete();
    await gone.expectNoCopy();
  });
});
