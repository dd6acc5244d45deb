import assert from 'node:assert/strict';
import { cellConditions } from '#writeback/cell-conditions.ts';
import type { CellFacts } from '#writeback/cell-report.ts';
import { factsWith, fenced, frozenFacts, justStarted } from '#writeback/testing/facts.ts';

const lost = (reason: 'NoLocationIdentity' | 'AmbiguousLocationIdentity' | 'InvalidLocationName') =>
  factsWith({ location: { kind: 'unresolved', reason } });

const reading = factsWith().reading ?? assert.fail();
const shared = factsWith({ reading: { ...reading, others: 2 } });

const ROWS: [name: string, facts: CellFacts, type: string, words: string][] = [
  ['a watch that stands', factsWith(), 'Observed', 'True Watching'],
  ['no watch', factsWith({ observing: false }), 'Observed', 'False NotObserved'],
  ['the bound cluster', factsWith(), 'IdentityBound', 'True Bound'],
  ['another cluster', fenced, 'IdentityBound', 'False IdentityFenced'],
  ['a cluster with two names', { ...fenced, sharedWith: 'fra-1' }, 'IdentityBound', 'False IdentityShared'],
  ['a cluster that was not asked yet', { ...justStarted, sharedWith: 'fra-1' }, 'IdentityBound', 'Unknown IdentityUnread'],
  ['a configured location', factsWith(), 'LocationResolved', 'True Configured'],
  ['a delivered one', factsWith({ location: { kind: 'resolved', name: 'ams', from: 'delivered' } }), 'LocationResolved', 'True Delivered'],
  [
    'a delivered one that overrules',
    factsWith({ location: { kind: 'resolved', name: 'ams', from: 'delivered', overruled: 'fra' } }),
    'LocationResolved',
    'True LocationMismatch',
  ],
  ['no location', lost('NoLocationIdentity'), 'LocationResolved', 'False NoLocationIdentity'],
  ['several', lost('AmbiguousLocationIdentity'), 'LocationResolved', 'False AmbiguousLocationIdentity'],
  ['a bad name', lost('InvalidLocationName'), 'LocationResolved', 'False InvalidLocationName'],
  ['locations that were not read yet', justStarted, 'LocationResolved', 'Unknown LocationUnread'],
  ['no pause', factsWith(), 'Paused', 'False NotPaused'],
  ['a pause', factsWith({ paused: true }), 'Paused', 'True Paused'],
  ['nothing frozen', factsWith(), 'Frozen', 'False NothingFrozen'],
  ['a frozen set', frozenFacts(['ns/a']), 'Frozen', 'True ShrinkFrozen'],
  ['no complete observation yet', justStarted, 'Frozen', 'Unknown NotListed'],
  ['all well', factsWith(), 'Ready', 'True Mirroring'],
  ['the watch first', { ...fenced, observing: false }, 'Ready', 'False NotObserved'],
  ['then the identity', { ...fenced, location: lost('NoLocationIdentity').location }, 'Ready', 'False IdentityFenced'],
  ['then the location', lost('AmbiguousLocationIdentity'), 'Ready', 'False AmbiguousLocationIdentity'],
  ['then a pause', { ...frozenFacts(['ns/a']), paused: true }, 'Ready', 'False Paused'],
  ['then a list that has not ended', factsWith({ completeAtMs: undefined }), 'Ready', 'False NotListed'],
  ['then what is frozen', frozenFacts(['ns/a']), 'Ready', 'False ShrinkFrozen'],
  ["then another cluster's copies", shared, 'Ready', 'False LocationShared'],
];

describe('the conditions of a cell', () => {
  for (const [name, facts, type, words] of ROWS) {
    it(`say of ${name}: ${type} ${words}`, () => {
      const found = cellConditions(facts).find((condition) => condition.type === type) ?? assert.fail();
      assert.equal(`${found.status} ${found.reason}`, words);
    });
  }

  it('say in words who is in the way', () => {
    const messageOf = (facts: CellFacts) => cellConditions(facts).find(({ type }) => type === 'Ready')?.message;
    assert.match(messageOf(fenced) ?? '', /other-uid/);
    assert.match(messageOf({ ...fenced, sharedWith: 'fra-1' }) ?? '', /fra-1/);
    assert.match(messageOf(factsWith({ observing: false, failure: 'Untrusted' })) ?? '', /Untrusted/);
  });

  it('come in one order, each once', () => {
    for (const facts of [factsWith(), fenced, justStarted, frozenFacts(['ns/a'])]) {
      assert.deepEqual(
        cellConditions(facts).map(({ type }) => type),
        ['Observed', 'IdentityBound', 'LocationResolved', 'Paused', 'Frozen', 'Ready'],
      );
    }
  });
});
