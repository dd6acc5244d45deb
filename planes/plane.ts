import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { TerminalError } from '#kube/errors.ts';
import { createAdmin } from '#planes/admin.ts';
import type { Admin } from '#planes/admin.ts';
import { writeAuditPolicy } from '#planes/audit-log.ts';
import type { Binaries } from '#planes/binaries.ts';
import { writeKubeconfig } from '#planes/kubeconfig.ts';
import { applyManifest } from '#planes/manifests.ts';
import { writePlaneFiles } from '#planes/plane-files.ts';
import type { PlaneFiles } from '#planes/plane-files.ts';
import { PlanePrograms } from '#planes/plane-programs.ts';
import type { ProgramsContext } from '#planes/plane-programs.ts';
import type { PortRange } from '#planes/ports.ts';
import { probe } from '#planes/probe.ts';
import type { Program } from '#planes/programs.ts';
import { aggregatingFlags, apiServerFlags, controllerManagerFlags, etcdFlags } from '#planes/server-flags.ts';

/** How a plane is to be. */
export type PlaneOptions = {
  /** Leave out API groups and admission plug-ins that nothing here uses; yes unless said otherwise. */
  slim?: boolean;
  /** Log every request, see `auditLog` and `readAuditLog`. */
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

/** What a plane takes from its environment. */
export type PlaneContext = Omit<ProgramsContext, 'plane' | 'folder'> & {
  folder: string;
  binaries: Binaries;
  ports: PortRange;
  /** Called before anything is started: what has to be ended with the environment, however far the start gets. */
  onBegin: (plane: Pick<Plane, 'programs' | 'admin'>) => void;
};

/** What only a hub is started with. */
export type HubSettings = { aggregated?: boolean; controllers?: readonly string[]; beforeControllers?: (hub: Plane) => Promise<void> };

const SERVERS: readonly Program[] = ['kube-apiserver', 'etcd'];

/**
 * Starts etcd and kube-apiserver, and kube-controller-manager where controllers are asked for. Resolves when all are ready: about 2.5 s.
 * @throws {TerminalError} `ProgramDied` or `NotReady`, with the last log lines.
 */
export async function startPlane(name: string, options: PlaneOptions & HubSettings, context: PlaneContext): Promise<Plane> {
  const { ports } = context;
  const [client, peer, secure] = [await ports.next(), await ports.next(), await ports.next()];
  const url = `https://127.0.0.1:${secure}`;
  const storeUrl = `http://127.0.0.1:${client}`;
  const files = writePlaneFiles(join(context.folder, name), { name, url });
  const { folder } = files;
  const storeFolder = join(folder, 'etcd');
  const admin = createAdmin({ name, url, ca: files.authority.certificate, token: files.adminToken });
  const programs = new PlanePrograms({ ...context, plane: name, folder });
  context.onBegin({ programs, admin });
  const audit = options.audit ? { logFile: join(folder, 'audit.log'), policyFile: writeAuditPolicy(join(folder, 'audit-policy.json')) } : undefined;
  const plane = describePlane({ name, url, storeUrl, storeFolder, files, admin, programs, auditLog: audit?.logFile });
  await programs.add({
    program: 'etcd',
    command: context.binaries.path('etcd'),
    args: etcdFlags(storeFolder, { client, peer }),
    isReady: async () => (await probe(`${storeUrl}/readyz`)) === 200,
  });
  const flags = [...(options.aggregated ? aggregatingFlags(files) : []), ...(options.flags ?? [])];
  await programs.add({
    program: 'kube-apiserver',
    command: context.binaries.path('kube-apiserver'),
    args: apiServerFlags({ files, port: secure, storeUrl, slim: options.slim ?? true, audit, flags }),
    isReady: () => isServing(admin),
  });
  for (const file of options.manifests ?? []) await applyManifest(plane, file);
  await options.beforeControllers?.(plane);
  const controllers = options.controllers ?? (options.namespaceController ? ['namespace'] : []);
  if (controllers.length > 0) await addControllerManager(plane, controllers, context);
  return plane;
}

/** Ready, and with the namespaces that it makes for itself just after: the uid of `kube-system` is the cluster's identity. */
async function isServing(admin: Admin): Promise<boolean> {
  for (const path of ['/readyz', '/api/v1/namespaces/kube-system', '/api/v1/namespaces/default']) {
    if ((await admin.status(path)) !== 200) return false;
  }
  return true;
}

async function addControllerManager(plane: Plane, controllers: readonly string[], { ports, binaries }: PlaneContext): Promise<void> {
  const port = await ports.next();
  await plane.programs.add({
    program: 'kube-controller-manager',
    command: binaries.path('kube-controller-manager'),
    args: controllerManagerFlags(plane.files, { controllers, port }),
    isReady: async () => (await probe(`https://127.0.0.1:${port}/healthz`)) === 200,
  });
}

type Parts = Pick<Plane, 'name' | 'url' | 'storeUrl' | 'storeFolder' | 'files' | 'admin' | 'programs' | 'auditLog'>;

function describePlane(parts: Parts): Plane {
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
