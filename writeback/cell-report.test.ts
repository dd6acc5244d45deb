import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { CellReportStatus } from '#api/objects.ts';
import { DEFAULT_GUARD, ShrinkGuard } from '#mirror/shrink-guard.ts';
import { type CellFacts, cellReportStatus } from '#writeback/cell-report.ts';
import { frozenSetName } from '#writeback/frozen-record.ts';
import { factsWith, fenced, frozenFacts, justStarted, NOW } from '#writeback/testing/facts.ts';

const LATER = NOW + 15_000;
const well = factsWith();
const first = cellReportStatus(well, {}, NOW);

function next(facts: CellFacts, before: CellReportStatus = first, nowMs = LATER) {
  return cellReportStatus(facts, { status: before }, nowMs);
}

function conditionOf(status: CellReportStatus, type: string) {
  return status.conditions.find((condition) => condition.type === type) ?? assert.fail(`there is no condition ${type}`);
}

/** What makes a guard freeze 60 sources. */
const MOST_MISSING = { live: 0, copies: 60, absent: new Set(Array.from({ length: 60 }, (_, at) => `ns/pod-${at}`)) };

function frozenGuard(id?: string): ShrinkGuard {
  const guard = new ShrinkGuard(DEFAULT_GUARD, id);
  guard.observe(MOST_MISSING, 0);
  return guard;
}

function nameOf({ frozen }: ShrinkGuard): string {
  return frozenSetName(frozen ?? assert.fail('nothing is frozen'));
}

describe('the record of a frozen set', () => {
  it('is made of a set of any size', () => {
    const keys = Array.from({ length: 200_000 }, (_, at) => `ns/pod-${at}`);
    const { frozen } = cellReportStatus(frozenFacts(keys), {}, NOW);
    assert.deepEqual([frozen?.count, frozen?.first.length], [200_000, 20]);
  });

  it('has one name for as long as it stands, however often it is confirmed', () => {
    const guard = frozenGuard();
    const name = nameOf(guard);
    for (const nowMs of [1, 2, 3_600_000]) {
      guard.observe(MOST_MISSING, nowMs);
      assert.equal(nameOf(guard), name);
    }
  });

  it('has another name when the same sources go missing again after all of them were back, or one', () => {
    for (const returned of [[...MOST_MISSING.absent], ['ns/pod-7']]) {
      const guard = frozenGuard();
      const name = nameOf(guard);
      for (const key of returned) guard.returned(key);
      guard.observe(MOST_MISSING, 1);
      assert.deepEqual(new Set(guard.frozen?.missing.keys()), MOST_MISSING.absent);
      assert.notEqual(nameOf(guard), name);
    }
  });

  it('has another name where another guard freezes the same sources', () => {
    assert.notEqual(nameOf(frozenGuard('0.25')), nameOf(frozenGuard('0.5')));
  });

  it('never has a name again that was given before one of its sources was back', () => {
    const keys = fc.constantFrom<string[]>('ns/a', 'ns/b', 'ns/c', 'ns/d');
    const steps = fc.array(fc.oneof(keys, fc.uniqueArray(keys)), { maxLength: 16 });
    fc.assert(
      fc.property(steps, (shown) => {
        const guard = new ShrinkGuard({ ...DEFAULT_GUARD, believedAbsent: 1 });
        const given = new Map<string, { missing: string[]; over: boolean }>();
        for (const [at, step] of shown.entries()) {
          const isBack = (key: string) => (typeof step === 'string' ? key === step : !step.includes(key));
          for (const set of given.values()) set.over ||= set.missing.some(isBack);
          if (typeof step === 'string') guard.returned(step);
          else guard.observe({ live: 0, copies: 4, absent: new Set(step) }, at);
          if (!guard.frozen) continue;
          assert.notEqual(given.get(nameOf(guard))?.over, true);
          given.set(nameOf(guard), { missing: [...guard.frozen.missing.keys()], over: false });
        }
      }),
    );
  });
});

describe('the report of a cell', () => {
  it('counts sources, copies, and what is withdrawn and waits for a worker', () => {
    assert.deepEqual([first.backlog, first.sources, first.copies, first.withdrawn], [1, 3, 2, 5]);
    assert.deepEqual(first.location, { name: 'ams', from: 'configured' });
  });

  it('tells what is held by how and why, in one order, with a sum for each way', () => {
    const held = [
      { state: 'waiting', reason: 'IdentityFenced', count: 2 },
      { state: 'refused', reason: 'NameTaken', count: 1 },
      { state: 'waiting', reason: 'Timeout', count: 1 },
      { state: 'kept', reason: 'IdentityFenced', count: 4 },
    ] as const;
    const status = cellReportStatus(factsWith({ held }), {}, NOW);
    assert.deepEqual(
      status.held.map(({ state, reason, count }) => `${state} ${reason} ${count}`),
      ['Kept IdentityFenced 4', 'Waiting IdentityFenced 2', 'Refused NameTaken 1', 'Waiting Timeout 1'],
    );
    assert.deepEqual([status.waiting, status.refused, status.kept], [3, 1, 4]);
    assert.deepEqual(cellReportStatus(factsWith({ held: held.toReversed() }), {}, NOW).held, status.held);
  });

  it('is renewed while the cell is observed, and keeps its last renewal while it is not', () => {
    assert.equal(next(well).renewTime, '2030-01-01T12:00:15Z');
    assert.equal(next({ ...well, observing: false }).renewTime, first.renewTime);
    assert.equal(cellReportStatus({ ...well, observing: false }, {}, NOW).renewTime, undefined);
  });

  it('says when the cell was last heard, and says the same for as long as it is silent, whatever the clocks drift', () => {
    assert.equal(first.lastContactTime, '2030-01-01T11:59:56Z');
    const silentFor = (silenceSeconds: number) => factsWith({ reading: { ...(well.reading ?? assert.fail()), silenceSeconds } });
    for (const drift of [-0.9, -0.01, 0, 0.01, 0.9]) assert.equal(next(silentFor(19 + drift)).lastContactTime, first.lastContactTime);
    assert.equal(next(silentFor(1)).lastContactTime, '2030-01-01T12:00:14Z');
  });

  it('remembers over a restart what was last seen of the cell', () => {
    const { lastCompleteObservation, lastContactTime, renewTime } = next(justStarted);
    assert.deepEqual(
      [lastCompleteObservation, lastContactTime, renewTime],
      ['2030-01-01T11:59:00Z', first.lastContactTime, first.renewTime],
    );
  });

  it('moves the time of a condition only with its status', () => {
    const gone = next({ ...well, observing: false });
    assert.equal(conditionOf(gone, 'Observed').lastTransitionTime, '2030-01-01T12:00:15Z');
    assert.equal(conditionOf(gone, 'IdentityBound').lastTransitionTime, '2030-01-01T12:00:00Z');
  });

  it('says which generation of the spec it knows, as does every condition, where there is one', () => {
    const status = cellReportStatus(well, { generation: 3 }, NOW);
    assert.deepEqual([status.observedGeneration, ...status.conditions.map((each) => each.observedGeneration)], [3, 3, 3, 3, 3, 3, 3]);
    assert.ok(!('observedGeneration' in first));
  });

  it('puts exactly the frozen set on record: how many, since when, how often confirmed, the first twenty by name', () => {
    const names = Array.from({ length: 30 }, (_, index) => `ns/pod-${String(index).padStart(2, '0')}`);
    const { frozen } = cellReportStatus(frozenFacts(names.toReversed()), {}, NOW);
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

  it('records how far the cluster has come that the name is bound to, and takes nothing over from another one', () => {
    assert.deepEqual(first.observedVersion, { clusterUID: 'cell-uid', resourceVersion: '41' });
    assert.deepEqual(next({ ...fenced, newestVersion: '7' }).observedVersion, first.observedVersion);
    assert.deepEqual(next(justStarted).observedVersion, first.observedVersion);
    const rebound = next({ ...well, identity: { kind: 'bound', uid: 'new-uid' }, newestVersion: '7' });
    assert.deepEqual(rebound.observedVersion, { clusterUID: 'new-uid', resourceVersion: '7' });
  });

  it('remembers the clusters that the name was bound to, the present one last', () => {
    assert.deepEqual(first.boundClusterUIDs, ['cell-uid']);
    const foreign = next(fenced);
    assert.deepEqual(foreign.boundClusterUIDs, ['cell-uid']);
    const rebound = next({ ...well, identity: { kind: 'bound', uid: 'new-uid' } }, foreign);
    assert.deepEqual(rebound.boundClusterUIDs, ['cell-uid', 'new-uid']);
  });

  it('remembers a cluster too that the name was bound to between two reports', () => {
    const boundUids = ['short-uid', 'new-uid'];
    const rebound = next({ ...well, identity: { kind: 'bound', uid: 'new-uid' }, boundUids });
    assert.deepEqual(rebound.boundClusterUIDs, ['cell-uid', 'short-uid', 'new-uid']);
    assert.deepEqual(next({ ...fenced, boundUids }, rebound).boundClusterUIDs, rebound.boundClusterUIDs);
  });
});
