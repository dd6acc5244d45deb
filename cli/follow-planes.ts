import type { Registry } from '@prometheus-io/client';
import { createConfigMetrics } from '#cli/config-metrics.ts';
import { followConfig } from '#cli/follow-config.ts';
import type { CellConfig, HubConfig, ProjectConfig } from '#cli/hub-config.ts';
import { InForce } from '#cli/in-force.ts';
import { ProjectWatch } from '#cli/project-watch.ts';
import { partsNeedingRestart } from '#cli/restart-needed.ts';
import { systemClock } from '#kube/clock.ts';
import type { Log } from '#kube/log.ts';

/** The planes that the configuration names now. */
export type Planes = { cells: InForce<readonly CellConfig[]>; projects: InForce<readonly ProjectConfig[]> };

/** What following needs. `text` is what `config` was read from in `file`. */
export type FollowPlanesOptions = { file: string; text: string; config: HubConfig; log: Log; registry: Registry };

/** The planes of the configuration, the projects of its folder among them, and what keeps them up to date until the signal aborts. */
export async function followPlanes(options: FollowPlanesOptions): Promise<{ planes: Planes; run(signal: AbortSignal): Promise<void> }> {
  const { log } = options;
  let config = options.config;
  const planes: Planes = { cells: new InForce<readonly CellConfig[]>(config.cells), projects: new InForce<readonly ProjectConfig[]>([]) };
  const watch = new ProjectWatch({
    ...{ log, clock: systemClock, config: () => config },
    onProjects: (projects) => {
      planes.projects.change(projects);
      log.info({ count: projects.length }, 'The projects in force');
    },
  });
  await watch.look();
  const onConfig = (next: HubConfig) => {
    config = next;
    planes.cells.change(next.cells);
    return watch.look();
  };
  return { planes, run: async (signal) => void (await Promise.all([follow(options, onConfig, signal), watch.run(signal)])) };
}

function follow(
  { file, text, config, log, registry }: FollowPlanesOptions,
  onConfig: (next: HubConfig) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const count = createConfigMetrics(registry);
  return followConfig({
    ...{ file, text, clock: systemClock, signal },
    onConfig: (next) => {
      count('used');
      log.info({ file, count: next.cells.length + next.projects.length }, 'Configuration changed: its cells and projects are in force');
      const parts = partsNeedingRestart(config, next);
      if (parts.length > 0) log.warn({ file, reason: parts.join(', ') }, 'Part of the new configuration needs a restart');
      return onConfig(next);
    },
    onRefused: (err) => {
      count('refused');
      log.error({ file, err }, 'New configuration refused: the one before stays in force');
    },
  });
}
