import type { ProjectConfig } from '#cli/hub-config.ts';
import type { DirectoryProjects } from '#cli/project-directory.ts';
import { projectIdentity } from '#cli/project-name.ts';

/**
 * The projects of the configuration and of its folder together. One that is named both ways stays as the configuration says:
 * a file that appears must not move a project to another server.
 */
export function chooseProjects(listed: readonly ProjectConfig[], found: DirectoryProjects): DirectoryProjects {
  const places = new Map(listed.map(({ name }, at) => [projectIdentity(name), { name, at }]));
  const chosen: DirectoryProjects = { projects: [...listed], problems: [...found.problems] };
  for (const project of found.projects) {
    const taken = places.get(projectIdentity(project.name));
    if (taken === undefined) chosen.projects.push(project);
    else
      chosen.problems.push(
        `Project "${taken.name}" is named twice: by projects.${taken.at} and by "${project.kubeconfig}", which is left out`,
      );
  }
  return chosen;
}
