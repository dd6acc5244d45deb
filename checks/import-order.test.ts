import assert from 'node:assert/strict';
import { findForbiddenImports, importedNames } from '#checks/import-order.ts';
import { readSourceFiles } from '#checks/source-files.ts';

describe('the import order', () => {
  it('is kept by every file of the repository', () => {
    assert.deepEqual(readSourceFiles().flatMap(findForbiddenImports), []);
  });

  it('forbids that feature folders import each other', () => {
    const text = "import { a } from '#replicator/a.ts';";
    assert.deepEqual(findForbiddenImports({ path: 'writeback/b.ts', text }), [
      'writeback/b.ts: "#replicator/a.ts" is imported, but writeback may not import replicator',
    ]);
  });

  it('forbids every import in api, packages and types included', () => {
    const text = "import type { A } from 'undici';\nimport { b } from 'node:fs';\n";
    assert.equal(findForbiddenImports({ path: 'api/b.ts', text }).length, 2);
  });

  it('forbids relative imports', () => {
    assert.equal(findForbiddenImports({ path: 'cli/b.ts', text: "export { a } from './a.ts';" }).length, 1);
  });

  it('lets only a test against real servers start planes', () => {
    const text = "import { startHub } from '#planes/hub.ts';";
    assert.deepEqual(findForbiddenImports({ path: 'kube/list.e2e.test.ts', text }), []);
    assert.equal(findForbiddenImports({ path: 'kube/list.test.ts', text }).length, 1);
  });

  it('knows every folder by name', () => {
    assert.equal(findForbiddenImports({ path: 'elsewhere/b.ts', text: '' }).length, 1);
  });

  it('sees every form of import, over several lines too', () => {
    const text = [
      "import { a,\n  b } from 'one';",
      "import type { C } from 'two';",
      "import 'three';",
      "export * from 'four';",
      "const five = await import('five');",
      "export const six = 'not imported';",
      "type Seven = import('seven').Seven;",
    ].join('\n');
    assert.deepEqual(importedNames(text), ['one', 'two', 'three', 'four', 'five', 'seven']);
  });
});
