import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readProjectDirectory } from '#cli/project-directory.ts';

describe('a folder of projects', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fedhub-projects-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const put = (name: string) => writeFile(join(folder, name), '');
  const names = async () => (await readProjectDirectory(folder)).projects.map(({ name }) => name);

  it('names the project of each .yaml file, sorted, whatever is in it', async () => {
    await put('org_b.yaml');
    await put('a.yaml');
    assert.deepEqual(await readProjectDirectory(folder), {
      projects: [
        { name: 'a', kubeconfig: join(folder, 'a.yaml') },
        { name: 'org/b', kubeconfig: join(folder, 'org_b.yaml') },
      ],
      problems: [],
    });
  });

  it('passes over folders, hidden files and links that lead nowhere', async () => {
    await put('.a.yaml');
    await mkdir(join(folder, 'b.yaml'));
    await symlink('nowhere', join(folder, 'c.yaml'));
    assert.deepEqual(await readProjectDirectory(folder), { projects: [], problems: [] });
  });

  it('tells a file whose name is no project, by its path, and goes on', async () => {
    for (const name of ['a.yaml', 'a b.yaml', 'notes.txt']) await put(name);
    const { projects, problems } = await readProjectDirectory(folder);
    assert.equal(projects.length, 1);
    assert.deepEqual(
      problems.map((problem) => problem.replace(folder, 'F')),
      ['a b.yaml', 'notes.txt'].map(
        (name) => `Cannot take a project from "F/${name}": its name is not that of a project with .yaml after it`,
      ),
    );
  });

  it('is a mounted volume too, whose content is swapped by one link', async () => {
    for (const [version, file] of [
      ['..1', 'a.yaml'],
      ['..2', 'b.yaml'],
    ] as const) {
      await mkdir(join(folder, version));
      await put(join(version, file));
    }
    await symlink('..1', join(folder, '..data'));
    await symlink('..data/a.yaml', join(folder, 'a.yaml'));
    assert.deepEqual(await names(), ['a']);
    await symlink('..data/b.yaml', join(folder, 'b.yaml'));
    await symlink('..2', join(folder, '..data_next'));
    await rename(join(folder, '..data_next'), join(folder, '..data'));
    assert.deepEqual(await names(), ['b']);
  });

  it('that cannot be read says nothing', async () => {
    await assert.rejects(readProjectDirectory(join(folder, 'missing')), { code: 'ENOENT' });
    await put('file');
    await assert.rejects(readProjectDirectory(join(folder, 'file')), { code: 'ENOTDIR' });
  });
});
