import { join } from 'node:path';
import { writeHubConfig } from '#e2e/hub-config.ts';
import { Service } from '#e2e/service.ts';
import { type Environment, startEnvironment } from '#planes/environment.ts';
import { joinCluster } from '#planes/join-cluster.ts';
import { applyManifest } from '#planes/manifests.ts';
import type { Plane } from '#planes/plane.ts';

/** A hub with Karmada, two cells that are gateways too, a gateway that is no cell, and the service beside them. */
export type Federation = {
  environment: Environment;
  hub: Plane;
  /** Located as their names say. */
  cells: [Plane, Plane];
  gateway: Plane;
  /** Declares networks and locations. */
  project: Plane | undefined;
  service: Service;
};

/** How it is to be. */
export type FederationOptions = {
  /** Told in plain sentences what is going on. */
  log?: (line: string) => void;
  /** Karmada's Cluster API is served by its aggregated API server, as in production. */
  aggregated?: boolean;
  /** Have kubectl as well. */
  kubectl?: boolean;
  /** Log the requests at every plane. */
  audit?: boolean;
  /** There is a project, too; and the cells learn their locations from what it declares instead of from the configuration. */
  project?: boolean;
  /** Fields of the configuration's `writeback`. */
  writeback?: Record<string, unknown>;
};

const ROOT = new URL('..', import.meta.url).pathname;
const inRepo = (file: string) => join(ROOT, file);

/** The CRDs that must be on a plane before Karmada schedules anything to it: what was scheduled before is never tried again. */
const CELL_CRDS = ['serving-location', 'network-context', 'subnet'].map((name) => inRepo(`e2e/crds/${name}.yaml`));
const PROJECT_CRDS = ['network', 'network-context', 'subnet', 'location'].map((name) => inRepo(`e2e/crds/${name}.yaml`));
const HUB_CRDS = [...CELL_CRDS, inRepo('e2e/crds/network.yaml'), inRepo('config/crd/cell-report.yaml')];

/** Starts everything, the service last, and ends what was started when it cannot. Rights and policy are those of `config/`. */
export async function startFederation(options: FederationOptions = {}): Promise<Federation> {
  const { log = () => {}, aggregated = false, kubectl = false } = options;
  const environment = await startEnvironment({ karmada: true, aggregated, kubectl, log });
  try {
    return await assemble(environment, options);
  } catch (error) {
    await environment.stop();
    throw error;
  }
}

async function assemble(environment: Environment, options: FederationOptions): Promise<Federation> {
  const { audit = false, log = () => {} } = options;
  const member = (name: string) => environment.startCell(name, { audit, manifests: CELL_CRDS, namespaceController: true });
  log(`Starting a hub with Karmada, two cells that are gateways, a gateway${options.project ? ', and a project' : ''}`);
  const [hub, ams, fra, gateway, project] = await Promise.all([
    environment.startHub({ audit, manifests: HUB_CRDS }),
    member('ams'),
    member('fra'),
    member('edge'),
    options.project ? environment.startCell('project', { audit, manifests: PROJECT_CRDS, namespaceController: true }) : undefined,
  ]);
  await grantRights({ hub, cells: [ams, fra], project });
  log('Joining them to Karmada');
  await Promise.all([
    joinCluster(hub, ams, { gateways: true, location: ams.name }),
    joinCluster(hub, fra, { gateways: true, location: fra.name }),
    joinCluster(hub, gateway, { gateways: true }),
  ]);
  await applyManifest(hub, inRepo('config/policies/gateway.yaml'));
  log('Starting fedhub');
  const planes: Planes = { environment, hub, cells: [ams, fra], gateway, project };
  return { ...planes, service: await startService(planes, options) };
}

type Planes = Omit<Federation, 'service'>;

/** The rights of `config/rbac/`, and no others. */
async function grantRights({ hub, cells, project }: Pick<Planes, 'hub' | 'cells' | 'project'>): Promise<void> {
  const grant = (plane: Plane, file: string) => applyManifest(plane, inRepo(`config/rbac/${file}.yaml`));
  await grant(hub, 'hub');
  for (const cell of cells) await grant(cell, 'cell');
  if (!project) return;
  for (const file of ['hub-replicator', 'hub-policies']) await grant(hub, file);
  for (const file of ['project', 'locations']) await grant(project, file);
}

async function startService({ environment, hub, cells, project }: Planes, { writeback = {} }: FederationOptions): Promise<Service> {
  const configFile = writeHubConfig(join(environment.folder, 'hub.yaml'), {
    hub: { kubeconfig: hub.serviceKubeconfig },
    cells: cells.map(({ name, serviceKubeconfig }) => ({ name, kubeconfig: serviceKubeconfig, ...(!project && { location: name }) })),
    ...(project && {
      projects: [{ name: 'acme/shop', kubeconfig: project.serviceKubeconfig }],
      locations: { kubeconfig: project.serviceKubeconfig },
    }),
    writeback,
  });
  const service = new Service({ environment, name: 'fedhub', configFile });
  await service.start();
  await service.ready();
  if (!project) await service.eventually('every cell is mirrored', () => everyCellMirrored(service));
  return service;
}

async function everyCellMirrored(service: Service): Promise<boolean> {
  const { cells } = JSON.parse((await service.ask('/status')).body) as { cells: { phase: string }[] };
  return cells.length > 0 && cells.every(({ phase }) => phase === 'mirroring');
}
