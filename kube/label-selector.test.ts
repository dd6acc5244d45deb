import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isLabelKey, matchesSelector, parseSelector } from '#kube/label-selector.ts';

const matches = (selector: string, labels: Record<string, string>) => matchesSelector(parseSelector(selector), labels);

const words = fc.stringMatching(/^[a-zA-Z0-9]([-_.a-zA-Z0-9]{0,6}[a-zA-Z0-9])?$/);
const keys = fc.oneof(
  words,
  words.map((name) => `example.com/${name}`),
);
const labels = fc.dictionary(keys, words, { noNullPrototype: true });

describe('a label selector', () => {
  const table: [string, Record<string, string>, boolean][] = [
    ['', {}, true],
    [' ', { a: 'b' }, true],
    ['a', { a: '' }, true],
    ['a', {}, false],
    ['!a', {}, true],
    ['! a', { a: 'b' }, false],
    ['a=b', { a: 'b' }, true],
    ['a==b', { a: 'b' }, true],
    ['a = b', { a: 'c' }, false],
    ['a=', { a: '' }, true],
    ['a=b', {}, false],
    ['a!=b', {}, true],
    ['a!=b', { a: 'b' }, false],
    ['a in (b, c)', { a: 'c' }, true],
    ['a in (b,c)', { a: 'd' }, false],
    ['a in (b)', {}, false],
    ['a in ()', { a: '' }, true],
    ['a notin (b,c)', { a: 'c' }, false],
    ['a notin (b,c)', {}, true],
    ['in', { in: '1' }, true],
    ['a=b,example.com/c in (d,e),!f', { a: 'b', 'example.com/c': 'e' }, true],
    ['a=b,example.com/c in (d,e),!f', { a: 'b', 'example.com/c': 'e', f: '' }, false],
    ['x in (a,b),y', { x: 'a' }, false],
  ];
  for (const [selector, with_, expected] of table) {
    it(`"${selector}" ${expected ? 'matches' : 'does not match'} ${JSON.stringify(with_)}`, () => {
      assert.equal(matches(selector, with_), expected);
    });
  }

  const wrong = ['a=b=c', 'a b', 'a>1', 'a in b', 'a in (b', 'a in b)', '=a', 'a,', ',', '!', '!a=b', '/a', 'a/', 'a/b/c', 'a=-', 'A_/b'];
  for (const selector of wrong) {
    it(`"${selector}" is refused with the part that is wrong`, () => {
      assert.throws(() => parseSelector(selector), /^TypeError: Cannot read label selector: ".*" is no requirement$/);
    });
  }

  it('is refused with a value or a name past 63 characters, as the server does', () => {
    assert.throws(() => parseSelector(`a=${'b'.repeat(64)}`), TypeError);
    assert.throws(() => parseSelector('b'.repeat(64)), TypeError);
    assert.ok(matches(`a=${'b'.repeat(63)}`, { a: 'b'.repeat(63) }));
  });

  it('of equalities that were read off an object matches the object', () => {
    fc.assert(
      fc.property(labels, (carried) => {
        const selector = Object.entries(carried).map(([key, value]) => `${key}=${value}`);
        assert.ok(matches(selector.join(','), carried));
      }),
    );
  });

  it('and its contrary are never both true, and with presence and absence always one', () => {
    fc.assert(
      fc.property(labels, keys, words, (carried, key, value) => {
        assert.notEqual(matches(`${key}=${value}`, carried), matches(`${key}!=${value}`, carried));
        assert.notEqual(matches(`${key} in (${value})`, carried), matches(`${key} notin (${value})`, carried));
        assert.notEqual(matches(key, carried), matches(`!${key}`, carried));
      }),
    );
  });

  it('matches when every one of its parts does', () => {
    fc.assert(
      fc.property(labels, fc.array(keys, { maxLength: 4 }), (carried, wanted) => {
        assert.equal(
          matches(wanted.join(','), carried),
          wanted.every((key) => matches(key, carried)),
        );
      }),
    );
  });

  it('reads any text or throws a TypeError', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        try {
          parseSelector(text);
        } catch (error) {
          assert.ok(error instanceof TypeError);
        }
      }),
    );
  });
});

describe('a label key', () => {
  it('is a name of at most 63 characters, with or without a DNS prefix', () => {
    for (const key of ['a', 'A.b_c-d', 'example.com/a', 'k8s.io/A_1']) assert.ok(isLabelKey(key), key);
    for (const key of ['', '/', 'a/', '/a', 'a/b/c', '-a', 'a-', 'Example.com/a', 'a b', 'x'.repeat(64)]) assert.ok(!isLabelKey(key), key);
  });
});
