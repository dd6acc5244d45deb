import assert from 'node:assert/strict';
import fc from 'fast-check';
import { fullValue, labelled, labelValue, shorten } from '#mirror/label-value.ts';

const LABEL_VALUE = /^[a-zA-Z0-9]([-._a-zA-Z0-9]{0,61}[a-zA-Z0-9])?$/;
const values = fc.oneof(
  fc.stringMatching(/^[a-zA-Z0-9]([-._a-zA-Z0-9]{0,20}[a-zA-Z0-9])?$/),
  fc.stringMatching(/^[a-zA-Z0-9][-._a-zA-Z0-9]{55,120}[a-zA-Z0-9]$/),
);

describe('a label value', () => {
  it('is the value itself up to 63 characters', () => {
    for (const value of ['a', 'A-b.c_d', 'x'.repeat(63)]) assert.equal(labelValue(value), value);
  });

  it('is a prefix and 12 hex digits of the sha256 of the whole beyond that', () => {
    // printf 'x%.0s' {1..64} | sha256sum | cut -c1-12
    assert.equal(labelValue('x'.repeat(64)), `${'x'.repeat(50)}-7ce100971f64`);
  });

  it('is accepted by an API server whatever valid characters it is made of', () => {
    fc.assert(fc.property(values, (value) => assert.match(labelValue(value), LABEL_VALUE)));
  });

  it('ends no prefix in a separator', () => {
    assert.match(labelValue(`${'x'.repeat(47)}...${'y'.repeat(30)}`), /^x{47}-[0-9a-f]{12}$/);
  });

  it('differs for values that differ only behind the cut', () => {
    assert.notEqual(labelValue(`${'x'.repeat(70)}a`), labelValue(`${'x'.repeat(70)}b`));
  });

  it('is cut to exactly the length asked for', () => {
    assert.equal(shorten('x'.repeat(300), { max: 238, hashLength: 16, seed: 'other' }).length, 238);
  });
});

describe('labels and their full values', () => {
  it('need no annotation while they fit', () => {
    assert.deepEqual(labelled({ a: 'x' }), { labels: { a: 'x' }, annotations: {} });
  });

  it('leave out what has no value', () => {
    assert.deepEqual(labelled({ a: undefined, b: '' }), { labels: {}, annotations: {} });
  });

  it('always lead back to the full value', () => {
    fc.assert(fc.property(values, (value) => assert.equal(fullValue('key', labelled({ key: value })), value)));
  });

  it('are nothing where neither is set', () => {
    assert.equal(fullValue('key', {}), undefined);
  });
});
