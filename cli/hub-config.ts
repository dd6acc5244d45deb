import type { ListenAddress } from '#cli/listen-address.ts';
import type { GuardSettings } from '#mirror/shrink-guard.ts';
import type { ReplicatedKind } from '#replicator/replicated-kind.ts';

/** Where one API server is reached. `kubeconfig` is a path; `context` names one in it, else its current one is used. */
export type PlaneConfig = { kubeconfig: string; context?: string };

/**
 * One cell. `location` is used where the cell's own ServingLocations do not decide (contract section 2); for a paused one nothing is
 * written but its report.
 */
export type CellConfig = PlaneConfig & { name: string; location?: string; paused?: boolean };

/** One project, by the name that its hub namespaces are labelled with. */
export type ProjectConfig = PlaneConfig & { name: string };

/** The parts of the work, which operators may run apart. */
export const ROLES = ['writeback', 'replicator', 'policies'] as const;
/** One part of the work: cells to hub, projects to hub, or locations to policies. */
export type RoleName = (typeof ROLES)[number];

/** How a role is paced. */
export type PaceConfig = {
  /** Between two comparisons of everything, both ways. */
  sweepIntervalMs: number;
  /** Between two looks at a key that waits for something or was refused. */
  retryIntervalMs: number;
  /** The longest silence of a watch before it is given up. API servers send a bookmark about once a minute. */
  idleTimeoutMs: number;
  /** Requests under way at one destination at once. */
  concurrency: number;
  /** When a sudden loss of sources is not believed. */
  shrinkGuard: GuardSettings;
};

/** The configuration as the program uses it: every default filled in, paths absolute, durations in milliseconds. */
export type HubConfig = {
  roles: RoleName[];
  hub: PlaneConfig;
  cells: CellConfig[];
  projects: ProjectConfig[];
  /** A folder of kubeconfigs, one for each project, beside those in `projects`. */
  projectsFrom?: { directory: string };
  /** The plane that Locations are declared on; nothing is generated without it. */
  locations?: PlaneConfig;
  /** Where `/healthz`, `/readyz`, `/status` and `/metrics` are served. */
  server: { address: ListenAddress };
  log: { level: 'error' | 'warn' | 'info' | 'debug' };
  writeback: PaceConfig;
  replicator: PaceConfig & { kinds: readonly ReplicatedKind[] };
};
