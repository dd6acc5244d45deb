import { isDeepStrictEqual } from 'node:util';
import { chooseProjects } from '#cli/choose-projects.ts';
import type { HubConfig, ProjectConfig } from '#cli/hub-config.ts';
import { readProjectDirectory } from '#cli/project-directory.ts';
import type { DirectoryProjects } from '#cli/project-directory.ts';
import type { Clock } from '#kube/clock.ts';
import type { Log } from '#kube/log.ts';

/** Milliseconds between two looks at the folder: the delay of a change, against one small read. */
const LOOK_MS = 1000;

/** What a watch of the projects needs. `config` is asked at each look; `read` is replaced in tests only. */
export type ProjectWatchOptions = {
  config: () => Pick<HubConfig, 'projects' | 'projectsFrom'>;
  onProjects: (projects: ProjectConfig[]) => void;
  clock: Clock;
  log: Log;
  read?: (directory: string) => Promise<DirectoryProjects>;
};

/**
 * Tells which projects there are, each time that changes. The folder is looked at again and again, for the same reason as the
 * configuration file (`follow-config.ts`). While it cannot be read, what was found in it last stays.
 */
export class ProjectWatch {
  readonly #options: Required<ProjectWatchOptions>;
  #found: DirectoryProjects = { projects: [], problems: [] };
  #directory: string | undefined;
  #chosen: ProjectConfig[] | undefined;
  /** What was wrong at the last look: each thing is told when it comes up. */
  #problems: string[] = [];

  constructor(options: ProjectWatchOptions) {
    this.#options = { read: readProjectDirectory, ...options };
  }

  /** Looks at once, and tells the projects if they are others than before. */
  async look(): Promise<void> {
    const { config, onProjects, log } = this.#options;
    const { projects: listed, projectsFrom } = config();
    const unread = await this.#readFolder(projectsFrom?.directory);
    const { projects, problems } = chooseProjects(listed, this.#found);
    const wrong = [...unread, ...problems];
    for (const reason of wrong) if (!this.#problems.includes(reason)) log.error({ reason }, 'Some projects cannot be taken up');
    this.#problems = wrong;
    if (isDeepStrictEqual(projects, this.#chosen)) return;
    this.#chosen = projects;
    onProjects(projects);
  }

  /** Looks until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#options.clock.sleep(LOOK_MS, signal);
      if (!signal.aborted) await this.look();
    }
  }

  /** @returns why the folder could not be read, if so. */
  async #readFolder(directory: string | undefined): Promise<string[]> {
    if (directory !== this.#directory) this.#found = { projects: [], problems: [] };
    this.#directory = directory;
    if (directory === undefined) return [];
    try {
      this.#found = await this.#options.read(directory);
      return [];
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
      return [`Cannot read the folder "${directory}": ${code}`];
    }
  }
}
