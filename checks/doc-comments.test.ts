import assert from 'node:assert/strict';
import { findUndocumentedExports } from '#checks/doc-comments.ts';
import { readSourceFiles } from '#checks/source-files.ts';

describe('doc comments', () => {
  it('stand above every export of the repository', () => {
    assert.deepEqual(readSourceFiles().flatMap(findUndocumentedExports), []);
  });

  it('are missed where there is none, with the line', () => {
    const text = '/** One. */\nexport const one = 1;\nexport async function two() {}\n\nexport type Three = 3;\n';
    assert.deepEqual(findUndocumentedExports({ path: 'a.ts', text }), [
      'a.ts:3: "two" is exported without a doc comment',
      'a.ts:5: "Three" is exported without a doc comment',
    ]);
  });

  it('are asked for once over several overloads', () => {
    const text = '/** One. */\nexport function one(a: 1): 1;\nexport function one(a: 2): 2;\nexport function one(a: number) {\n}\n';
    assert.deepEqual(findUndocumentedExports({ path: 'a.ts', text }), []);
  });
});
