import { join } from 'node:path';
import { createAdmin } from '#planes/admin.ts';
import type { Admin } from '#planes/admin.ts';
import { writeAuditPolicy } from '#planes/audit-log.ts';
import type { Binaries } from '#planes/binaries.ts';
import { applyManifest } from '#planes/manifests.ts';
import { createPlane } from '#planes/plane.ts';
import type { Plane, PlaneOptions } from '#planes/plane.ts';
import { writePlaneFiles } from '#planes/plane-files.ts';
import { PlanePrograms } from '#planes/plane-programs.ts';
import type { ProgramsContext } from '#planes/plane-programs.ts';
import type { PortRange } from '#planes/ports.ts';
import { probe } from '#planes/probe.ts';
import { aggregatingFlags, apiServerFlags, controllerManagerFlags, etcdFlags } from '#planes/server-flags.ts';
import type { StorePorts } from '#planes/server-flags.ts';

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

/**
 * Starts etcd and kube-apiserver, and kube-controller-manager where controllers are asked for. Resolves when all are ready: about 2.5 s.
 * @throws {TerminalError} `ProgramDied` or `NotReady`, with the last log lines.
 */
export async function startPlane(name: string, options: PlaneOptions & HubSettings, context: PlaneContext): Promise<Plane> {
  const { ports } = context;
  const storePorts = { client: await ports.next(), peer: await ports.next() };
  const port = await ports.next();
  const plane = preparePlane(name, { port, storePorts, audit: options.audit ?? false, context });
  context.onBegin(plane);
  await addStore(plane, storePorts, context);
  await addApiServer(plane, { ...options, port }, context);
  for (const file of options.manifests ?? []) await applyManifest(plane, file);
  await options.beforeControllers?.(plane);
  const controllers = options.controllers ?? (options.namespaceController ? ['namespace'] : []);
  if (controllers.length > 0) await addControllerManager(plane, controllers, context);
  return plane;
}

type Preparation = { port: number; storePorts: StorePorts; audit: boolean; context: PlaneContext };

function preparePlane(name: string, { port, storePorts, audit, context }: Preparation): Plane {
  const url = `https://127.0.0.1:${port}`;
  const files = writePlaneFiles(join(context.folder, name), { name, url });
  const { folder, authority, adminToken: token } = files;
  return createPlane({
    ...{ name, url, files },
    storeFolder: join(folder, 'etcd'),
    storeUrl: `http://127.0.0.1:${storePorts.client}`,
    admin: createAdmin({ name, url, ca: authority.certificate, token }),
    programs: new PlanePrograms({ ...context, plane: name, folder }),
    auditLog: audit ? join(folder, 'audit.log') : undefined,
  });
}

async function addStore({ programs, storeFolder, storeUrl }: Plane, storePorts: StorePorts, { binaries }: PlaneContext): Promise<void> {
  await programs.add({
    program: 'etcd',
    command: binaries.path('etcd'),
    args: etcdFlags(storeFolder, storePorts),
    isReady: async () => (await probe(`${storeUrl}/readyz`)) === 200,
  });
}

async function addApiServer(
  plane: Plane,
  options: PlaneOptions & HubSettings & { port: number },
  { binaries }: PlaneContext,
): Promise<void> {
  const { files, storeUrl, auditLog, folder } = plane;
  const { port, slim = true, aggregated = false, flags = [] } = options;
  const audit = auditLog === undefined ? undefined : { logFile: auditLog, policyFile: writeAuditPolicy(join(folder, 'audit-policy.json')) };
  const all = [...(aggregated ? aggregatingFlags(files) : []), ...flags];
  await plane.programs.add({
    program: 'kube-apiserver',
    command: binaries.path('kube-apiserver'),
    args: apiServerFlags({ files, port, storeUrl, slim, audit, flags: all }),
    isReady: () => isServing(plane.admin),
  });
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

/** Ready, and with the namespaces that it makes for itself just after: the uid of `kube-system` is the cluster's identity. */
async function isServing(admin: Admin): Promise<boolean> {
  for (const path of ['/readyz', '/api/v1/namespaces/kube-system', '/api/v1/namespaces/default']) {
    if ((await admin.status(path)) !== 200) return false;
  }
  return true;
}
