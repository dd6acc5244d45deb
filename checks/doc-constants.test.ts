import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { findDocConstants } from '#checks/doc-constants.ts';

describe('the documented constants of a text', () => {
  it('are those that are exported and hold a text, in their order', () => {
    const text = `/** Of the file. */

/** One. */
export const ONE = 'a/b';
/**
 * Two, over
 * two lines.
 */
export const TWO = '';
/** Not a text. */
export const THREE = 3;
/** Not exported. */
const FOUR = 'four';
`;
    assert.deepEqual(findDocConstants(text), [
      { name: 'ONE', value: 'a/b', comment: 'One.' },
      { name: 'TWO', value: '', comment: 'Two, over two lines.' },
    ]);
  });
});

describe('the vocabulary', () => {
  const read = (file: string) => findDocConstants(readFileSync(file, 'utf8'));

  it('says of every key and every name who writes it and who reads it', () => {
    const all = [...read('api/keys.ts'), ...read('api/names.ts')].filter(({ comment }) => !comment.startsWith('Value of `'));
    assert.ok(all.length > 20, 'the constants are found');
    const silent = all.filter(({ comment }) => !/\bwritten by\b/i.test(comment) || !/\b(read|carried) (by|before)\b/i.test(comment));
    assert.deepEqual(
      silent.map(({ name }) => name),
      [],
    );
  });

  it('gives no two constants of one file the same text', () => {
    for (const file of ['api/keys.ts', 'api/field-managers.ts', 'api/names.ts']) {
      const values = read(file).map(({ value }) => value);
      assert.equal(new Set(values).size, values.length, file);
    }
  });
});
