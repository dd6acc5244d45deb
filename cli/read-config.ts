import { readFile } from 'node:fs/promises';
import { ConfigError } from '#cli/errors.ts';

/**
 * The text of the configuration file.
 * @throws {ConfigError} `Unreadable` when there is no such file or no right to read it.
 */
export async function readConfigText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new ConfigError('Unreadable', [{ file, line: 1, column: 1, path: '', message: `Cannot read the file: ${fact(error)}` }]);
  }
}

const FACTS: Record<string, string> = {
  ENOENT: 'there is no such file',
  EACCES: 'permission denied',
  EISDIR: 'it is a folder',
};

function fact(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
  return FACTS[code] ?? code;
}
