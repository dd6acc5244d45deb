import assert from 'node:assert/strict';
import { absent, present, unknown } from '#mirror/observation.ts';
import { resolveLocation } from '#writeback/location.ts';

describe("a cell's location", () => {
  it('is the one that was delivered', () => {
    assert.deepEqual(resolveLocation(present(['ams-1']), undefined), { kind: 'resolved', name: 'ams-1', from: 'delivered' });
    assert.deepEqual(resolveLocation(present(['ams-1']), 'ams-1'), { kind: 'resolved', name: 'ams-1', from: 'delivered' });
  });

  it('is the delivered one even against the configuration, which is then named as overruled', () => {
    const expected = { kind: 'resolved', name: 'ams-1', from: 'delivered', overruled: 'fra-1' };
    assert.deepEqual(resolveLocation(present(['ams-1']), 'fra-1'), expected);
  });

  it('is the configured one where none or several were delivered', () => {
    const expected = { kind: 'resolved', name: 'fra-1', from: 'configured' };
    for (const delivered of [present<string[]>([]), present(['ams-1', 'ams-2']), absent<string[]>('weak')]) {
      assert.deepEqual(resolveLocation(delivered, 'fra-1'), expected);
    }
  });

  it('is awaited where neither names exactly one', () => {
    assert.deepEqual(resolveLocation(present([]), undefined), { kind: 'unresolved', reason: 'NoLocationIdentity' });
    assert.deepEqual(resolveLocation(absent('weak'), undefined), { kind: 'unresolved', reason: 'NoLocationIdentity' });
    assert.deepEqual(resolveLocation(present(['a', 'b']), undefined), { kind: 'unresolved', reason: 'AmbiguousLocationIdentity' });
  });

  it('is not known while the list has failed, whatever is configured: a failure is not "none"', () => {
    for (const configured of [undefined, 'fra-1']) {
      assert.deepEqual(resolveLocation(unknown('Timeout'), configured), { kind: 'unresolved', reason: 'LocationUnread' });
    }
  });

  it('is refused where a delivered name is no DNS label, not replaced by the configured one', () => {
    const expected = { kind: 'unresolved', reason: 'InvalidLocationName' };
    assert.deepEqual(resolveLocation(present(['ams.1']), 'fra-1'), expected);
    assert.deepEqual(resolveLocation(present(['l'.repeat(64)]), undefined), expected);
  });
});
