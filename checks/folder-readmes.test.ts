import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { listFiles } from '#checks/source-files.ts';

/** Lines: what fits on one screen. */
const README_MAX_LINES = 40;

describe('folders with code', () => {
  const folders = [...new Set(listFiles('*.ts').map((path) => dirname(path)))];

  it('each say in a README.md what they are for, inner ones at least in that of the folder around them', () => {
    const silent = folders.filter((folder) => !existsSync(readmeOf(folder)) && !isNamedAbove(folder));
    assert.deepEqual(silent, []);
  });

  it(`say it in at most ${README_MAX_LINES} lines`, () => {
    const readmes = folders.map(readmeOf).filter((path) => existsSync(path));
    const lengths = readmes.map((path) => ({ path, lines: readFileSync(path, 'utf8').trimEnd().split('\n').length }));
    const long = lengths.filter(({ lines }) => lines > README_MAX_LINES);
    assert.deepEqual(long, []);
  });
});

const readmeOf = (folder: string) => join(folder, 'README.md');

function isNamedAbove(folder: string): boolean {
  const above = readmeOf(dirname(folder));
  return folder.includes('/') && existsSync(above) && readFileSync(above, 'utf8').includes(`${basename(folder)}/`);
}
