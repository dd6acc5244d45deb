import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** One TypeScript file of the repository: its path from the root, and its text. */
export type SourceFile = { path: string; text: string };

/** Every TypeScript file that git knows or would take in, sorted by path. */
export function readSourceFiles(): SourceFile[] {
  return listFiles('*.ts').map((path) => ({ path, text: readFileSync(path, 'utf8') }));
}

/** Paths, from the root, of the files that git knows or would take in and that match the pathspec. */
export function listFiles(pathspec: string): string[] {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate', '-z', pathspec]);
  const deleted = execFileSync('git', ['ls-files', '--deleted', '-z', pathspec]);
  const gone = new Set(split(deleted));
  return split(listed)
    .filter((path) => !gone.has(path))
    .sort();
}

function split(output: Buffer): string[] {
  return output.toString('utf8').split('\0').filter(Boolean);
}
