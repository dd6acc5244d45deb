import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { TerminalError } from '#kube/errors.ts';
import type { Admin } from '#planes/admin.ts';
import { writeKubeconfig } from '#planes/kubeconfig.ts';
import type { PlaneFiles } from '#planes/plane-files.ts';
import type { PlanePrograms } from '#planes/plane-programs.ts';
import type { Program } from '#planes/programs.ts';

/** How a plane is to be. */
export type PlaneOptions = {
  /** Leave out API groups and admission plug-ins that nothing here uses; yes unless said otherwise. */
  slim?: boolean;
  /** Log every request, see `auditLog` and `audit-tail.ts`. */
  audit?: boolean;
  /** Further flags for kube-apiserver: `['--min-request-timeout=5']`. */
  flags?: readonly string[];
  /**
   * Manifest files applied before any controller starts. CRDs belong here: Karmada finds later ones after 14 to 22 s,
   * and garbage collection learns only every 30 s of kinds that it has not seen yet.
   */
  manifests?: readonly string[];
  /** Let deleted namespaces end; without it they stay Terminating for ever. A hub always has it. */
  namespaceController?: boolean;
};

/** One control plane with a store of its own, on this machine. */
export type Plane = {
  name: string;
  url: string;
  /** Everything it has on disk. */
  folder: string;
  /** Its store on disk. It may be copied away, and back, while the plane is stopped. */
  storeFolder: string;
  storeUrl: string;
  files: PlaneFiles;
  caFile: string;
  /** A member of `system:masters`. */
  adminKubeconfig: string;
  /** The user `fedhub`, who has no right at all until one is bound to it. */
  serviceKubeconfig: string;
  admin: Admin;
  /** The file, where `audit` was asked for. */
  auditLog: string | undefined;
  programs: PlanePrograms;
  /** Writes a kubeconfig for any user, who comes with a client certificate, and returns the file. */
  kubeconfigFor(user: string, options?: { groups?: readonly string[]; validMs?: number }): string;
  /** A token of the user `fedhub` that has not been given out yet. All of them stay good. */
  newServiceToken(): string;
  /** Ends every program in order and keeps the data. */
  stop(): Promise<void>;
  /** Starts again what is not running: same data, same address. */
  start(): Promise<void>;
  restart(): Promise<void>;
  /** Freezes API server and store: connections stay open, nothing answers. */
  pause(): void;
  resume(): void;
  /** Ends one program as a crash would. `start` brings it back. */
  kill(program: Program): Promise<void>;
  logTail(program: Program): string;
};

const SERVERS: readonly Program[] = ['kube-apiserver', 'etcd'];

/** What a plane is made of. */
export type PlaneParts = Pick<Plane, 'name' | 'url' | 'storeUrl' | 'storeFolder' | 'files' | 'admin' | 'programs' | 'auditLog'>;

/** The handle of a plane, of which nothing needs to run yet. */
export function createPlane(parts: PlaneParts): Plane {
  const { name, url, files, programs } = parts;
  const { folder, authority, caFile, caBundle, adminKubeconfig, serviceKubeconfig } = files;
  const tokens = files.serviceTokens.slice(1);
  mkdirSync(join(folder, 'users'), { recursive: true });
  return {
    ...parts,
    ...{ folder, caFile, adminKubeconfig, serviceKubeconfig },
    kubeconfigFor(user, { groups = [], validMs } = {}) {
      const request = { commonName: user, organisations: groups, usage: 'client' as const };
      const credential = authority.issue(validMs === undefined ? request : { ...request, validMs });
      const file = join(folder, 'users', `${encodeURIComponent(user)}.kubeconfig`);
      return writeKubeconfig(file, { cluster: name, url, caBundle, user, credential });
    },
    newServiceToken: () => tokens.shift() ?? noTokenLeft(name),
    stop: () => programs.stop(),
    start: () => programs.start(),
    async restart() {
      await programs.stop();
      await programs.start();
    },
    pause: () => programs.pause(...SERVERS),
    resume: () => programs.resume(...SERVERS),
    kill: (program) => programs.kill(program),
    logTail: (program) => programs.logTail(program),
  };
}

function noTokenLeft(plane: string): never {
  throw new TerminalError('NoTokens', `Cannot give out another token of ${plane}: all have been used`);
}
