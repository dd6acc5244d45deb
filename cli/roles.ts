import type { Registry } from '@prometheus-io/client';
import type { Planes } from '#cli/follow-planes.ts';
import type { HubConfig, PaceConfig } from '#cli/hub-config.ts';
import { openPlane } from '#cli/open-plane.ts';
import type { Standing } from '#cli/readiness.ts';
import { createPoliciesRole } from '#cli/policies-role.ts';
import { Role } from '#cli/role.ts';
import type { Client } from '#kube/client.ts';
import type { Log } from '#kube/log.ts';
import type { MirrorMetrics } from '#mirror/metrics.ts';
import type { MirrorSettings } from '#mirror/mirror.ts';
import { Replicator } from '#replicator/replicator.ts';
import type { ReplicatorStatus } from '#replicator/replicator.ts';
import { registerConditionGauge } from '#writeback/condition-gauge.ts';
import { Writeback } from '#writeback/writeback.ts';
import type { WritebackStatus } from '#writeback/writeback.ts';

/** What the roles share. */
export type RolesOptions = { config: HubConfig; hub: Client; planes: Planes; metrics: MirrorMetrics; registry: Registry; log: Log };

/** The roles that this process has, at work side by side. */
export type Roles = { run(signal: AbortSignal): Promise<void>; standing(): Standing };

/** Prepares the configured roles; nothing is sent before `run`. */
export function createRoles(options: RolesOptions): Roles {
  const { roles, locations } = options.config;
  const writeback = roles.includes('writeback') ? writebackRole(options) : undefined;
  const replicator = roles.includes('replicator') ? replicatorRole(options) : undefined;
  const policies = roles.includes('policies') && locations ? createPoliciesRole({ ...options, locations }) : undefined;
  return {
    run: async (signal) => void (await Promise.all([writeback?.run(signal), replicator?.run(signal), policies?.run(signal)])),
    standing: () => ({ ...standingOf(writeback?.status, replicator?.status), ...(policies && { locations: policies.status() }) }),
  };
}

/** A role without planes has nothing to observe the hub for. */
function standingOf(writeback: WritebackStatus | undefined, replicator: ReplicatorStatus | undefined): Standing {
  const atWork = [writeback, replicator].filter((status) => status !== undefined);
  return {
    hubObserved: atWork.every(({ hubObserved }) => hubObserved),
    waitingFor: [...new Set(atWork.flatMap(({ waitingFor }) => waitingFor))],
    cells: writeback?.cells ?? [],
    projects: replicator?.projects ?? [],
  };
}

function writebackRole({ config, hub, planes, metrics, registry, log }: RolesOptions) {
  const { concurrency } = config.writeback;
  const writeback = new Writeback({
    ...{ hub, metrics, log, settings: toSettings(config.writeback) },
    openCell: (cell, cellLog) => openPlane({ ...cell, cluster: cell.name, concurrency }, cellLog),
  });
  registerConditionGauge(registry, () => writeback.conditions());
  return new Role(planes.cells, {
    set: (cells) => writeback.setCells(cells),
    run: (signal) => writeback.run(signal),
    status: () => writeback.status(),
  });
}

function replicatorRole({ config, hub, planes, metrics, log }: RolesOptions) {
  const { concurrency, kinds } = config.replicator;
  const replicator = new Replicator({
    ...{ hub, kinds, metrics, log, settings: toSettings(config.replicator) },
    openProject: (project, projectLog) => openPlane({ ...project, cluster: project.name, concurrency }, projectLog),
  });
  return new Role(planes.projects, {
    set: (projects) => replicator.setProjects(projects),
    run: (signal) => replicator.run(signal),
    status: () => replicator.status(),
  });
}

function toSettings({ idleTimeoutMs: idleMs, ...pace }: PaceConfig): MirrorSettings {
  const { sweepIntervalMs, retryIntervalMs, concurrency, shrinkGuard: guard } = pace;
  return { sweepIntervalMs, retryIntervalMs, idleMs, concurrency, guard };
}
