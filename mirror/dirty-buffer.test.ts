import assert from 'node:assert/strict';
import { DirtyBuffer } from '#mirror/dirty-buffer.ts';

const version = (resourceVersion: string) => ({ metadata: { name: 'a', resourceVersion } });

describe('the buffer of sources that changed', () => {
  it('gives the newest version out, once', () => {
    const dirty = new DirtyBuffer();
    dirty.put('a', version('1'));
    dirty.put('a', version('2'));
    assert.equal(dirty.has('a'), true);
    assert.deepEqual(dirty.take('a'), version('2'));
    assert.equal(dirty.take('a'), undefined);
    assert.equal(dirty.has('a'), false);
  });

  it('keeps nothing that was dropped', () => {
    const dirty = new DirtyBuffer();
    dirty.put('a', version('1'));
    dirty.drop('a');
    assert.equal(dirty.take('a'), undefined);
  });

  it('keeps nothing of a source that was proven gone, until a live read has found it again', () => {
    const dirty = new DirtyBuffer();
    dirty.proven('a', 'absent');
    dirty.put('a', version('1'));
    assert.equal(dirty.take('a'), undefined);
    dirty.proven('a', 'present');
    dirty.put('a', version('2'));
    assert.deepEqual(dirty.take('a'), version('2'));
  });

  it('keeps nothing that came before the answer that its source is gone', () => {
    const dirty = new DirtyBuffer();
    dirty.put('a', version('1'));
    dirty.proven('a', 'absent');
    assert.equal(dirty.has('a'), false);
  });

  it('stays small, and loses the oldest first', () => {
    const dirty = new DirtyBuffer();
    for (let at = 0; at < 5_000; at += 1) dirty.put(`key-${at}`, version('1'));
    assert.equal(dirty.has('key-0'), false);
    assert.equal(dirty.has('key-999'), false);
    assert.equal(dirty.has('key-1000'), true);
    assert.equal(dirty.has('key-4999'), true);
  });
});
