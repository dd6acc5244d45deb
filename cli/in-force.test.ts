import assert from 'node:assert/strict';
import { InForce } from '#cli/in-force.ts';

describe('what is in force', () => {
  it('is the latest when somebody can take it at last, and every change after', () => {
    const taken: string[] = [];
    const word = new InForce('a');
    word.change('b');
    word.giveTo((now) => taken.push(now));
    word.change('c');
    assert.deepEqual([taken, word.value], [['b', 'c'], 'c']);
  });

  it('is given to the latest taker only', () => {
    const taken: string[] = [];
    const word = new InForce('a');
    word.giveTo((now) => taken.push(`first ${now}`));
    word.giveTo((now) => taken.push(`second ${now}`));
    word.change('b');
    assert.deepEqual(taken, ['first a', 'second a', 'second b']);
  });
});
