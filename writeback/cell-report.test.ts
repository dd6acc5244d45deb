import assert from 'node:assert/strict';
import type { CellReportStatus } from '#api/objects.ts';
import { type CellFacts, cellReportStatus, frozenSetName } from '#writeback/cell-report.ts';

const NOW = Date.UTC(2030, 0, 1, 12, 0, 0);
const LATER = NOW + 15_000;

const well: CellFacts = {
  observing: true,
  identity: { kind: 'bound', uid: 'cell-uid' },
  observedUid: 'cell-uid',
  location: { kind: 'resolved', name: 'ams', from: 'configured' },
  reading: { queueDepth: 1, sources: 3, copies: 2, held: { NameTaken: 1, EmptySource: 2 }, silenceSeconds: 4 },
  completeAtMs: NOW - 60_000,
  frozen: undefined,
  frozenClockMs: 1_000_000,
};

function frozenFacts(names: string[]): CellFacts {
  const missing = new Map(names.map((name, index) => [name, { sinceMs: 940_000 + index, confirmed: 2 }]));
  return { ...well, frozen: { missing, released: 0 } };
}

function conditionOf(status: CellReportStatus, type: string) {
  return status.conditions.find((condition) => condition.type === type) ?? assert.fail(`there is no condition ${type}`);
}

describe('the report of a cell', () => {
  it('says that a cell is ready when it is observed, bound and located', () => {
    const status = cellReportStatus(well, undefined, NOW);
    assert.deepEqual(
      status.conditions.map((condition) => `${condition.type} ${condition.status} ${condition.reason}`),
      [
        'Observed True Watching',
        'IdentityBound True Bound',
        'LocationResolved True Configured',
        'Frozen False NothingFrozen',
        'Ready True Mirroring',
      ],
    );
    assert.equal(status.lastCompleteObservation, '2030-01-01T11:59:00Z');
    assert.deepEqual([status.backlog, status.sources, status.copies, status.heldTotal], [1, 3, 2, 3]);
  });

  it('names as the reason for not being ready whatever comes first', () => {
    const fenced: CellFacts = { ...well, observing: false, identity: { kind: 'unbound', reason: 'IdentityFenced' } };
    assert.equal(conditionOf(cellReportStatus(fenced, undefined, NOW), 'Ready').reason, 'NotObserved');
    assert.equal(conditionOf(cellReportStatus({ ...fenced, observing: true }, undefined, NOW), 'Ready').reason, 'IdentityFenced');
    const lost: CellFacts = { ...well, location: { kind: 'unresolved', reason: 'AmbiguousLocationIdentity' } };
    assert.equal(conditionOf(cellReportStatus(lost, undefined, NOW), 'Ready').reason, 'AmbiguousLocationIdentity');
    assert.equal(conditionOf(cellReportStatus(frozenFacts(['ns/a']), undefined, NOW), 'Ready').reason, 'ShrinkFrozen');
  });

  it('is renewed while the cell is observed, and keeps its last renewal while it is not', () => {
    const first = cellReportStatus(well, undefined, NOW);
    assert.equal(cellReportStatus(well, first, LATER).renewTime, '2030-01-01T12:00:15Z');
    assert.equal(cellReportStatus({ ...well, observing: false }, first, LATER).renewTime, first.renewTime);
    assert.equal(cellReportStatus({ ...well, observing: false }, undefined, NOW).renewTime, undefined);
  });

  it('moves the time of a condition only with its status', () => {
    const first = cellReportStatus(well, undefined, NOW);
    const gone = cellReportStatus({ ...well, observing: false }, first, LATER);
    assert.equal(conditionOf(gone, 'Observed').lastTransitionTime, '2030-01-01T12:00:15Z');
    assert.equal(conditionOf(gone, 'IdentityBound').lastTransitionTime, '2030-01-01T12:00:00Z');
  });

  it('puts exactly the frozen set on record: how many, since when, how often confirmed, the first twenty by name', () => {
    const names = Array.from({ length: 30 }, (_, index) => `ns/pod-${String(index).padStart(2, '0')}`);
    const { frozen } = cellReportStatus(frozenFacts(names.toReversed()), undefined, NOW);
    assert.deepEqual([frozen?.count, frozen?.released, frozen?.confirmed], [30, 0, 2]);
    assert.equal(frozen?.since, '2030-01-01T11:59:00Z');
    assert.deepEqual(frozen?.first, names.slice(0, 20));
  });

  it('gives one name to one set, whatever its order, and another to any other', () => {
    const name = (names: string[]) => frozenSetName(frozenFacts(names).frozen ?? assert.fail());
    assert.equal(name(['ns/a', 'ns/b']), name(['ns/b', 'ns/a']));
    assert.notEqual(name(['ns/a', 'ns/b']), name(['ns/a', 'ns/c']));
    assert.notEqual(name(['ns/a']), name(['ns/a', 'ns/b']));
  });

  it('remembers the clusters that the name was bound to, the present one last', () => {
    const first = cellReportStatus(well, undefined, NOW);
    assert.deepEqual(first.boundClusterUIDs, ['cell-uid']);
    const fenced = cellReportStatus({ ...well, identity: { kind: 'unbound', reason: 'IdentityFenced' } }, first, NOW);
    assert.deepEqual(fenced.boundClusterUIDs, ['cell-uid']);
    const rebound = cellReportStatus({ ...well, identity: { kind: 'bound', uid: 'new-uid' } }, fenced, NOW);
    assert.deepEqual(rebound.boundClusterUIDs, ['cell-uid', 'new-uid']);
  });
});
