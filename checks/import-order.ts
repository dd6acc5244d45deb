import type { SourceFile } from '#checks/source-files.ts';

/**
 * What each folder may import besides itself (design section 1). Feature folders never import each other;
 * `api` is vocabulary and imports nothing at all, not even a package.
 */
const MAY_IMPORT: Record<string, readonly string[]> = {
  api: [],
  kube: ['api'],
  mirror: ['kube', 'api'],
  replicator: ['mirror', 'kube', 'api'],
  writeback: ['mirror', 'kube', 'api'],
  policies: ['mirror', 'kube', 'api'],
  cli: ['writeback', 'replicator', 'policies', 'mirror', 'kube', 'api'],
  planes: ['kube', 'api'],
  e2e: ['cli', 'writeback', 'replicator', 'policies', 'mirror', 'kube', 'api', 'planes', 'checks'],
  bench: ['cli', 'writeback', 'replicator', 'policies', 'mirror', 'kube', 'api', 'planes', 'e2e'],
  checks: ['cli', 'policies', 'writeback', 'mirror'],
};

/** A test against real API servers may start them, whatever folder it lies in. */
const E2E_TEST_MAY_IMPORT = ['planes', 'e2e'];

/** Every import of the file that its folder may not make, as `path: fact`. */
export function findForbiddenImports(file: SourceFile): string[] {
  const folder = file.path.split('/')[0] ?? '';
  const allowed = MAY_IMPORT[folder];
  if (allowed === undefined) return [`${file.path}: folder "${folder}" has no row in the table of import order`];
  const more = file.path.endsWith('.e2e.test.ts') ? E2E_TEST_MAY_IMPORT : [];
  const faults = importedNames(file.text).map((name) => judge(name, folder, [...allowed, ...more]));
  return faults.filter((fault) => fault !== undefined).map((fault) => `${file.path}: ${fault}`);
}

/** The module names in `import … from`, `import '…'`, `export … from` and `import('…')`, in their order in the text. */
export function importedNames(text: string): string[] {
  const statements = /^\s*(?:import|export)\b(?:[^'"`;]*?\bfrom)?\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/gm;
  return [...text.matchAll(statements)].map((match) => match[1] ?? match[2] ?? '');
}

function judge(name: string, folder: string, allowed: string[]): string | undefined {
  if (name.startsWith('.')) return `"${name}" is relative: write it as "#folder/file.ts"`;
  if (!name.startsWith('#')) return folder === 'api' ? `"${name}" is imported, but api imports nothing` : undefined;
  const target = name.slice(1).split('/')[0] ?? '';
  return target === folder || allowed.includes(target) ? undefined : `"${name}" is imported, but ${folder} may not import ${target}`;
}
