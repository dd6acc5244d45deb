import { readFileSync } from 'node:fs';
import { findDocConstants } from '#checks/doc-constants.ts';

/** The reference page of everything that we and others know each other by, made from the doc comments of `api/`. */
export function writeNamesPage(): string {
  return `# Names

What fedhub writes and reads on the planes, and who else does. Other systems rely on all of it: none is ever renamed.

## Labels and annotations

A value past the 63 characters of a label is shortened to a prefix, \`-\` and 12 hex of its sha256; the full value then stands in an
annotation of the same key.

${tableOf('api/keys.ts', 'Key')}

## Names of objects on the hub

A replicated object keeps its name. Other names begin so:

${tableOf('api/names.ts', 'Beginning')}

## Field managers

${tableOf('api/field-managers.ts', 'Field manager')}

Made from \`api/keys.ts\`, \`api/names.ts\` and \`api/field-managers.ts\` by \`make generate\`.
`;
}

function tableOf(file: string, heading: string): string {
  const rows = findDocConstants(readFileSync(file, 'utf8')).map(
    ({ value, comment }) => `| \`${value}\` | ${comment.replaceAll('|', '\\|')} |`,
  );
  return [`| ${heading} | Meaning |`, '| --- | --- |', ...rows].join('\n');
}
