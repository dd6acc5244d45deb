import assert from 'node:assert/strict';
import type { Announced } from '#api/objects.ts';
import { announcementEvent } from '#writeback/announcement-event.ts';
import { announcementsOf, withAnnounced } from '#writeback/announcements.ts';
import { type CellFacts, cellReportStatus } from '#writeback/cell-report.ts';
import { factsWith, fenced, frozenFacts, justStarted, NOW } from '#writeback/testing/facts.ts';

const well = factsWith();
const swappedAgain: CellFacts = { ...fenced, observedUid: 'third-uid' };
const shared: CellFacts = { ...fenced, sharedWith: 'fra-1' };
const mismatch = (overruled: string) => factsWith({ location: { kind: 'resolved', name: 'ams', from: 'delivered', overruled } });
const lost = factsWith({ location: { kind: 'unresolved', reason: 'NoLocationIdentity' } });
const ambiguous = factsWith({ location: { kind: 'unresolved', reason: 'AmbiguousLocationIdentity' } });
const frozen = frozenFacts(['ns/a', 'ns/b']);
const frozenMore = frozenFacts(['ns/a', 'ns/b', 'ns/c']);

/** What is told while a cell goes through these states, one after the other, a minute apart. */
function tellings(states: readonly CellFacts[]) {
  let told: Announced[] = [];
  return states.map((facts, minute) => {
    const nowMs = NOW + minute * 60_000;
    const news = announcementsOf(cellReportStatus(facts, {}, nowMs).conditions, told, nowMs);
    told = withAnnounced(told, news);
    return news;
  });
}

const ROWS: [name: string, states: CellFacts[], words: string[]][] = [
  ['nothing of a cell that is well from the first', [justStarted, well, well], []],
  ['another cluster, once', [well, fenced, fenced], ['Warning IdentityFenced']],
  ['another cluster that was there from the first', [fenced], ['Warning IdentityFenced']],
  ['another cluster than the other one', [fenced, swappedAgain], ['Warning IdentityFenced', 'Warning IdentityFenced']],
  ['one cluster with two names', [well, shared, shared], ['Warning IdentityShared']],
  ['that the name is bound again', [fenced, well, well], ['Warning IdentityFenced', 'Normal Bound']],
  ['the same anew when it comes back', [fenced, well, fenced], ['Warning IdentityFenced', 'Normal Bound', 'Warning IdentityFenced']],
  ['nothing again after a restart', [fenced, justStarted, fenced], ['Warning IdentityFenced']],
  ['what ended during a restart', [fenced, justStarted, well], ['Warning IdentityFenced', 'Normal Bound']],
  ['a frozen set, and its end', [well, frozen, well], ['Warning ShrinkFrozen', 'Normal NothingFrozen']],
  ['nothing while a frozen set grows', [frozen, frozenMore], ['Warning ShrinkFrozen']],
  ['no end of a freeze by a restart', [frozen, justStarted, frozen], ['Warning ShrinkFrozen']],
  ['a mismatch of locations', [mismatch('fra'), mismatch('fra')], ['Warning LocationMismatch']],
  ['another mismatch', [mismatch('fra'), mismatch('osl')], ['Warning LocationMismatch', 'Warning LocationMismatch']],
  ['a location that is lost and found', [well, lost, well], ['Warning NoLocationIdentity', 'Normal Configured']],
  ['a location that is ambiguous, then lost', [ambiguous, lost], ['Warning AmbiguousLocationIdentity', 'Warning NoLocationIdentity']],
  [
    'two things at once, each by itself',
    [{ ...lost, identity: fenced.identity }],
    ['Warning IdentityFenced', 'Warning NoLocationIdentity'],
  ],
  ['nothing of a watch that is lost', [well, { ...well, observing: false }, well], []],
];

describe('what an operator is told of a cell', () => {
  for (const [name, states, words] of ROWS) {
    it(`is ${name}`, () => {
      const told = tellings(states).flat();
      assert.deepEqual(
        told.map(({ announced }) => `${announced.type} ${announced.reason}`),
        words,
      );
    });
  }

  it('says what to do, where there is something to do', () => {
    for (const [, states] of ROWS)
      for (const { announced, note } of tellings(states).flat()) {
        if (announced.type === 'Warning') assert.ok(note.length > announced.message.length + 20, note);
        else assert.equal(note, announced.message);
      }
  });

  it('is remembered once for each condition, in one order', () => {
    const [first = [], second = []] = tellings([{ ...lost, identity: fenced.identity }, swappedAgain]);
    const told = withAnnounced(withAnnounced([], first), second);
    assert.deepEqual(
      told.map(({ condition, type, reason, time }) => [condition, type, reason, time]),
      [
        ['IdentityBound', 'Warning', 'IdentityFenced', '2030-01-01T12:01:00Z'],
        ['LocationResolved', 'Normal', 'Configured', '2030-01-01T12:01:00Z'],
      ],
    );
    assert.deepEqual(withAnnounced(withAnnounced([], second), []), withAnnounced([], second));
  });
});

describe('the Event of an announcement', () => {
  const eventsOf = (states: readonly CellFacts[], cell = 'ams-1') =>
    tellings(states)
      .flat()
      .map((each) => announcementEvent(each, { cell, uid: 'report-uid', nowMs: NOW }));

  it('has one name for one change, however often and whenever it is told, and another for the next', () => {
    const [once, , again] = eventsOf([fenced, well, fenced]);
    assert.equal(eventsOf([fenced])[0]?.metadata.name, once?.metadata.name);
    assert.equal(eventsOf([well, well, fenced])[0]?.metadata.name, once?.metadata.name);
    assert.notEqual(again?.metadata.name, once?.metadata.name);
  });

  it('regards the report, and says who tells it', () => {
    const [event] = eventsOf([frozen]);
    assert.deepEqual(event?.['regarding'], {
      apiVersion: 'federation.datumapis.com/v1alpha1',
      kind: 'CellReport',
      name: 'ams-1',
      uid: 'report-uid',
    });
    assert.deepEqual([event?.['action'], event?.['reportingController']], ['WithdrawCopies', 'fedhub/writeback.cellreport']);
  });

  it('has a name that an API server accepts, however long the name of the cell', () => {
    for (const [, states] of ROWS)
      for (const { metadata } of eventsOf(states, 'x'.repeat(63))) assert.match(metadata.name, /^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/);
  });
});
