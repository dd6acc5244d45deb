import type { SourceFile } from '#checks/source-files.ts';

/** Every export of the file without a doc comment right above it, as `path:line: fact`. Tests export nothing and are left out. */
export function findUndocumentedExports({ path, text }: SourceFile): string[] {
  if (path.endsWith('.test.ts')) return [];
  const lines = text.split('\n');
  const faults = lines.map((line, at) => {
    const name = exportedName(line);
    if (name === undefined || isDocumented(lines, at, name)) return undefined;
    return `${path}:${at + 1}: "${name}" is exported without a doc comment`;
  });
  return faults.filter((fault) => fault !== undefined);
}

/** Names that a statement declares and exports. Lists (`export { … }`) name what has its comment elsewhere. */
function exportedName(line: string): string | undefined {
  return /^export (?:declare |abstract |async )*(?:function\*?|class|const|let|type|interface) (\w+)/.exec(line)?.[1];
}

/** A comment that ends on the line above counts; so does the comment of the overload above. */
function isDocumented(lines: string[], at: number, name: string): boolean {
  const above = lines[at - 1]?.trimEnd() ?? '';
  return above.endsWith('*/') || (above.endsWith(';') && exportedName(above) === name);
}
