import assert from 'node:assert/strict';
import fc from 'fast-check';
import { surplusOf } from '#policies/surplus.ts';

describe('what an object has too much', () => {
  it('is every field that is not wanted, and nothing else', () => {
    const held = { topology: { a: '1', b: '2' }, source: { generation: 1 }, list: [1, 2], more: { deep: 1 } };
    const wanted = { topology: { a: '9' }, source: { generation: 1 }, list: [1] };
    assert.deepEqual(surplusOf(held, wanted), { topology: { b: null }, more: null });
  });

  it('is nothing where all is wanted, whatever it is', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => assert.equal(surplusOf(value, value), undefined)));
  });
});
