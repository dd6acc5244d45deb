import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ProjectConfig } from '#cli/hub-config.ts';
import { isProjectName, projectOfFile } from '#cli/project-name.ts';

/** The projects that a folder of kubeconfigs shows, sorted by name, and what is wrong with other files in it, each in words. */
export type DirectoryProjects = { projects: ProjectConfig[]; problems: string[] };

/**
 * Reads which projects a folder names: a file `org_p.yaml` is project `org/p`. What is in the files is for whoever opens them,
 * so that one bad file concerns its own project only. Hidden files are the mount's and editors' own.
 * @throws {Error} with a `code` when the folder cannot be read: that says nothing about which projects there are.
 */
export async function readProjectDirectory(directory: string): Promise<DirectoryProjects> {
  const names = (await readdir(directory)).filter((name) => !name.startsWith('.')).toSorted();
  const found = await Promise.all(names.map((name) => readEntry(directory, name)));
  return { projects: found.flatMap(({ projects }) => projects), problems: found.flatMap(({ problems }) => problems) };
}

async function readEntry(directory: string, name: string): Promise<DirectoryProjects> {
  const file = join(directory, name);
  if (!(await isFile(file))) return { projects: [], problems: [] };
  const project = projectOfFile(name);
  if (project !== undefined && isProjectName(project)) return { projects: [{ name: project, kubeconfig: file }], problems: [] };
  return { projects: [], problems: [`Cannot take a project from "${file}": its name is not that of a project with .yaml after it`] };
}

/** A name may go between two looks, or lead nowhere: then it is no file. Any other failure says nothing. */
async function isFile(file: string): Promise<boolean> {
  try {
    return (await stat(file)).isFile();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false;
    throw error;
  }
}
