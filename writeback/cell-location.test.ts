import assert from 'node:assert/strict';
import { settle } from '#kube/testing/manual-clock.ts';
import { recordingLog } from '#kube/testing/scripted-client.ts';
import { CellLocation } from '#writeback/cell-location.ts';
import type { Location } from '#writeback/location.ts';

const at = (name: string): Location => ({ kind: 'resolved', name, from: 'delivered' });
const lost: Location = { kind: 'unresolved', reason: 'NoLocationIdentity' };
const signal = new AbortController().signal;

describe('the location of a cell', () => {
  it('is news once, and is said once', () => {
    const log = recordingLog();
    const location = new CellLocation(log);
    assert.deepEqual([location.found(at('ams')), location.found(at('ams'))], [true, false]);
    assert.deepEqual(location.now, at('ams'));
    assert.deepEqual(
      log.lines.map(({ level }) => level),
      ['info'],
    );
  });

  it('has not moved where it is only lost, and has where another one is known', async () => {
    const location = new CellLocation(recordingLog());
    location.found(at('ams'));
    let hasMoved = false;
    void location.untilMoved('ams', signal).then(() => {
      hasMoved = true;
    });
    for (const now of [lost, at('ams')]) {
      location.found(now);
      await settle();
      assert.equal(hasMoved, false);
    }
    location.found(at('fra'));
    await settle();
    assert.equal(hasMoved, true);
  });

  it('is not known any more once it is forgotten', () => {
    const location = new CellLocation(recordingLog());
    location.found(at('ams'));
    location.forget();
    assert.equal(location.now.kind, 'unresolved');
    assert.equal(location.found(at('ams')), true);
  });

  it('is waited for no longer than the signal says', async () => {
    const stop = new AbortController();
    const waiting = new CellLocation(recordingLog()).untilMoved('ams', stop.signal);
    stop.abort();
    await waiting;
  });
});
