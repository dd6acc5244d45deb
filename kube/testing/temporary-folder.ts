import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder for one test. */
export type TemporaryFolder = {
  path: string;
  /** Writes a file there, and answers with its path. */
  write(name: string, text: string): string;
  remove(): void;
};

/** Makes an empty folder. */
export function temporaryFolder(): TemporaryFolder {
  const path = mkdtempSync(join(tmpdir(), 'fedhub-kube-'));
  const write = (name: string, text: string) => {
    const file = join(path, name);
    writeFileSync(file, text);
    return file;
  };
  return { path, write, remove: () => rmSync(path, { recursive: true }) };
}
