// A cell's store that is restored from a backup while the service is down: how far the cell had come is on record, so that no absence is
// believed unconfirmed, however few sources are missing.
import assert from 'node:assert/strict';
import { APPROVE_FROZEN } from '#api/keys.ts';
import { eventually } from '#e2e/eventually.ts';
import { reportSide } from '#e2e/scenario/report-side.ts';
import { inBatches } from '#e2e/scenario/in-batches.ts';
import { useScenario } from '#e2e/scenario.ts';
import { isOlder } from '#kube/resource-version.ts';
import { backUpStore, restoreStore } from '#planes/store-backup.ts';

/** More writes than a control plane makes by itself while it starts. */
const WRITES = 300;
/** A report is renewed every 15 s. */
const RENEWED_MS = 60_000;

describe('a cell that is restored while the service is down', () => {
  const scenario = useScenario({ writeback: { shrinkGuard: { confirmAfter: 'never' } } });

  it('has no copy withdrawn for what its backup lacks, until an operator approves it', async () => {
    const { hub, c1, namespace, source, service } = scenario();
    const report = reportSide(hub.plane, 'c1');
    const at = await namespace();
    const [old, young] = [source(c1, at, 'old'), source(c1, at, 'young')];
    await old.publish();
    const backup = await backUpStore(c1.plane);
    await young.publish();
    await inBatches(Array.from({ length: WRITES }), (_, index) => young.patch({ metadata: { labels: { tier: `t${index}` } } }));
    const version = (await c1.slices.read(young.key))?.metadata.resourceVersion ?? assert.fail();
    const isOnRecord = async () => {
      const recorded = (await report.read())?.status?.observedVersion?.resourceVersion;
      return recorded !== undefined && !isOlder(recorded, version);
    };
    await eventually('how far the cell has come is on record', isOnRecord, { deadlineMs: RENEWED_MS });
    await service.stop();
    await restoreStore(c1.plane, backup);
    await c1.plane.start();
    await service.start();
    await report.expectCondition('Frozen', 'True ShrinkFrozen');
    await service.swept('c1');
    assert.ok(await young.copy());
    const { frozen } = (await report.read())?.status ?? {};
    assert.deepEqual(frozen?.first, [`${at}/young`]);
    await report.patch({ metadata: { annotations: { [APPROVE_FROZEN]: frozen.set } } });
    await young.expectNoCopy();
    await old.expectCopy();
    await report.expectCondition('Frozen', 'False NothingFrozen');
  });
});
