import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { digest } from '#mirror/digest.ts';

const json = fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.parse(JSON.stringify(value)) as unknown);

describe('a digest', () => {
  it('is the same for the same value, in whatever order its keys come', () => {
    assert.equal(digest({ a: 1, b: { c: [1, 2], d: 'x' } }), digest({ b: { d: 'x', c: [1, 2] }, a: 1 }));
    fc.assert(fc.property(json, (value) => assert.equal(digest(reordered(value)), digest(value))));
  });

  it('is the same for two values only where they are equal', () => {
    fc.assert(fc.property(json, json, (one, other) => assert.equal(digest(one) === digest(other), isDeepStrictEqual(one, other))));
  });

  it('tells null from unset and from empty, and a number from its text', () => {
    const values = [{}, { a: null }, { a: [] }, { a: {} }, { a: '' }, { a: 1 }, { a: '1' }, { a: 'null' }, { a: false }, [], null];
    assert.equal(new Set(values.map(digest)).size, values.length);
  });

  it('tells the order of a list, and where one text ends and the next begins', () => {
    assert.notEqual(digest([1, 2]), digest([2, 1]));
    assert.notEqual(digest(['a', 'b']), digest(['a,b']));
    assert.notEqual(digest({ a: 'b","c":"d' }), digest({ a: 'b', c: 'd' }));
  });

  it('takes an undefined member for an absent one', () => {
    assert.equal(digest({ a: undefined, b: 1 }), digest({ b: 1 }));
  });

  it('has 43 characters, whatever it is of', () => {
    for (const value of [null, {}, 'x'.repeat(10_000)]) assert.match(digest(value), /^[-_a-zA-Z0-9]{43}$/);
  });
});

function reordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reordered);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([key, member]): [string, unknown] => [key, reordered(member)]);
  return Object.fromEntries(members.toReversed());
}
