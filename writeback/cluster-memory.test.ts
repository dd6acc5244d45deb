import assert from 'node:assert/strict';
import { cellReportStatus } from '#writeback/cell-report.ts';
import { remember } from '#writeback/cluster-memory.ts';
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

  it('is nothing of another cluster', () => {
    const first = remember(undefined, 'uid-1', options);
    first.guard.distrust();
    const other = remember({ ...first, newestVersion: '7' }, 'uid-2', options);
    assert.equal(other.newestVersion, undefined);
    assert.equal(other.guard.permits('ns/a'), true);
  });
});
