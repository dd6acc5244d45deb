import assert from 'node:assert/strict';
import { cellReportStatus } from '#writeback/cell-report.ts';
import { attribute, remember } from '#writeback/cluster-memory.ts';
import { factsWith } from '#writeback/testing/facts.ts';

describe('what is kept of a cluster', () => {
  const options = { settings: undefined, random: () => 0.5, recorded: undefined };

  it('is the same for as long as the same cluster is met, with every doubt', () => {
    const first = remember(undefined, 'uid-1', options);
    first.guard.distrust();
    const again = remember(first, 'uid-1', options);
    assert.equal(again, first);
    assert.equal(again.guard.permits('ns/a'), false);
  });

  it('is frozen still, and not released any more, on the next connection', () => {
    const first = remember(undefined, 'uid-1', options);
    first.guard.distrust();
    first.guard.observe({ live: 1, copies: 2, absent: new Set(['ns/a']) }, 0);
    const approved = first.guard.frozen;
    first.guard.approve(new Set(['ns/a']));
    const { guard } = remember(first, 'uid-1', options);
    assert.equal(guard.permits('ns/a'), false);
    assert.deepEqual([...(guard.frozen?.missing.keys() ?? [])], ['ns/a']);
    assert.notEqual(guard.frozen?.occasion, approved?.occasion);
  });

  it('begins with how far an earlier run has seen it come, where that was the same cluster', () => {
    const status = cellReportStatus(factsWith({ newestVersion: '7' }), {}, 0);
    const uid = status.observedVersion?.clusterUID ?? assert.fail();
    assert.equal(remember(undefined, uid, { ...options, recorded: status }).newestVersion, '7');
    assert.equal(remember(undefined, 'uid-2', { ...options, recorded: status }).newestVersion, undefined);
  });

  it('is the answering cluster’s where a fenced name was bound to another: how far it has come, and every doubt', () => {
    const bound = remember(undefined, 'uid-1', options);
    bound.guard.distrust();
    const [kept, other, ...none] = attribute({ ...bound, newestVersion: '7' }, 'uid-2', options);
    assert.deepEqual([kept?.clusterUid, kept?.newestVersion, none.length], ['uid-1', undefined, 0]);
    assert.equal(kept?.guard, bound.guard);
    const again = remember(other, 'uid-2', options);
    assert.deepEqual([again.newestVersion, again.guard.permits('ns/a')], ['7', false]);
    const [, trusted] = attribute(remember(undefined, 'uid-1', options), 'uid-2', options);
    assert.equal(trusted?.guard.permits('ns/a'), true);
  });

  it('is one cluster’s where the bound one has answered, or none', () => {
    const memory = { ...remember(undefined, 'uid-1', options), newestVersion: '7' };
    for (const answered of ['uid-1', undefined]) assert.deepEqual(attribute(memory, answered, options), [memory]);
  });

  it('begins with what is on record of a cluster whose name has led elsewhere meanwhile', () => {
    const recorded = cellReportStatus(factsWith({ newestVersion: '7' }), {}, 0);
    const uid = recorded.observedVersion?.clusterUID ?? assert.fail();
    const [kept] = attribute(remember(undefined, uid, options), 'uid-2', options);
    assert.equal(remember(kept, uid, { ...options, recorded }).newestVersion, '7');
  });

  it('is nothing of another cluster', () => {
    const first = remember(undefined, 'uid-1', options);
    first.guard.distrust();
    const other = remember({ ...first, newestVersion: '7' }, 'uid-2', options);
    assert.equal(other.newestVersion, undefined);
    assert.equal(other.guard.permits('ns/a'), true);
  });
});
