import assert from 'node:assert/strict';
import { Ledger, stateOf } from '#e2e/torture/ledger.ts';
import { sourceObject } from '#e2e/scenario/source-object.ts';

const KEY = 'ns/pod';
const THERE = { calls: true, addressType: 'IPv6' };
const at = (fromMs: number, untilMs = fromMs) => ({ fromMs, untilMs });

describe('the ledger of a cell', () => {
  it('knows nothing of a source while it is being changed', () => {
    const ledger = new Ledger();
    ledger.note(KEY, THERE, at(10, 20));
    assert.deepEqual(
      [5, 10, 15, 20, 21].map((ms) => ledger.called(KEY, at(ms))),
      [false, false, false, false, true],
    );
  });

  it('takes a source for certain only where it was so all the time', () => {
    const ledger = new Ledger();
    ledger.note(KEY, THERE, at(10));
    ledger.note(KEY, undefined, at(30, 40));
    assert.equal(ledger.called(KEY, at(11, 29)), true);
    assert.equal(ledger.called(KEY, at(11, 30)), false);
    assert.equal(ledger.called(KEY, at(5, 29)), false);
    assert.equal(ledger.called(KEY, at(50)), false);
  });

  it('follows a cell to an earlier state, in which later sources never were', () => {
    const ledger = new Ledger();
    ledger.note(KEY, THERE, at(10));
    const page = ledger.page();
    ledger.note(KEY, undefined, at(20));
    ledger.note('ns/later', THERE, at(30));
    ledger.restore(page, at(40, 50));
    assert.equal(ledger.called(KEY, at(60)), true);
    assert.equal(ledger.called(KEY, at(45)), false);
    assert.equal(ledger.now('ns/later'), undefined);
  });

  it('remembers that an address type was another one', () => {
    const ledger = new Ledger();
    ledger.note(KEY, THERE, at(10));
    assert.equal(ledger.changedType(KEY), false);
    ledger.note(KEY, undefined, at(20));
    ledger.note(KEY, { ...THERE, addressType: 'IPv4' }, at(30));
    assert.equal(ledger.changedType(KEY), true);
  });

  it('takes a source for calling as long as it has its tenant and is not leaving, empty or not', () => {
    const source = sourceObject({ namespace: 'ns', name: 'pod' });
    assert.equal(stateOf({ ...source, endpoints: [] })?.calls, true);
    assert.equal(stateOf(sourceObject({ namespace: 'ns', name: 'pod' }, { tenant: null }))?.calls, false);
    assert.equal(stateOf({ ...source, metadata: { ...source.metadata, deletionTimestamp: 'now' } })?.calls, false);
  });
});
