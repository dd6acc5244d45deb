import assert from 'node:assert/strict';
import { absent, present, unknown } from '#mirror/observation.ts';
import { deliveredTo, resolveLocation } from '#writeback/location.ts';

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

describe('what was delivered to a cell', () => {
  const configured = 'fra-1';

  it('is nothing where the kind was never served and no copy stands under another location than the configured one', () => {
    for (const published of [new Set<string>(), new Set([configured])])
      assert.deepEqual(deliveredTo(absent('weak'), { configured, published }), absent('weak'));
    assert.deepEqual(deliveredTo(absent('weak'), { configured: undefined, published: new Set() }), absent('weak'));
  });

  it('is not known while the kind is not served and a copy stands elsewhere, or copies are not known', () => {
    for (const published of [undefined, new Set(['ams-1']), new Set([configured, 'ams-1'])])
      assert.deepEqual(deliveredTo(absent('weak'), { configured, published }), unknown('LocationUnread'));
  });

  it('is what the cell says, wherever copies stand', () => {
    for (const delivered of [present(['osl-1']), present<string[]>([]), unknown<string[]>('Forbidden')])
      assert.deepEqual(deliveredTo(delivered, { configured, published: new Set(['ams-1']) }), delivered);
  });
});
