import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { listFiles } from '#checks/source-files.ts';

/** Lines: what fits on one screen. */
const README_MAX_LINES = 40;

describe('folders with code', () => {
  const folders = [...new Set(listFiles('*.ts').map((path) => dirname(path)))];

  it('each say in a README.md what they are for', () => {
    assert.deepEqual(
      folders.filter((folder) => !existsSync(join(folder, 'README.md'))),
      [],
    );
  });

  it(`say it in at most ${README_MAX_LINES} lines`, () => {
    const readmes = folders.map((folder) => join(folder, 'README.md')).filter((path) => existsSync(path));
    const lengths = readmes.map((path) => ({ path, lines: readFileSync(path, 'utf8').trimEnd().split('\n').length }));
    assert.deepEqual(
      lengths.filter(({ lines }) => lines > README_MAX_LINES),
      [],
    );
  });
});
