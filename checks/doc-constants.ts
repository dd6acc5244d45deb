/** A constant of the vocabulary: its name in code, its text, and what its doc comment says. */
export type DocConstant = { name: string; value: string; comment: string };

const CONSTANT = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\nexport const (\w+) = '([^']*)';/g;

/** Every exported text constant of a TypeScript text that has a doc comment, in its order there, the comment on one line. */
export function findDocConstants(text: string): DocConstant[] {
  return [...text.matchAll(CONSTANT)].map(([, comment = '', name = '', value = '']) => ({ name, value, comment: onOneLine(comment) }));
}

function onOneLine(comment: string): string {
  return comment
    .split('\n')
    .map((line) => line.trim().replace(/^\*\s?/, ''))
    .join(' ')
    .trim();
}
