import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { GENERATED_PAGES } from '#checks/generated-pages.ts';

describe('generated pages', () => {
  for (const { file, write } of GENERATED_PAGES) {
    it(`${file} says what the code says (make generate writes it anew)`, () => {
      assert.equal(existsSync(file) ? readFileSync(file, 'utf8') : undefined, write());
    });
  }
});
