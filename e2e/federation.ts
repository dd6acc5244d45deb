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
  /** Fields of the configuration's `writeback`. */
  writeback?: Record<string, unknown>;
};

const ROOT = new URL('..', import.meta.url).pathname;
const inRepo = (file: string) => join(ROOT, file);

/** The CRDs that must be on a plane before Karmada schedules anything to it: what was scheduled before is never tried again. */
const CELL_CRDS = ['serving-location', 'network-context', 'subnet'].map((name) => inRepo(`e2e/crds/${name}.yaml`));
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

async function assemble(
  environment: Environment,
  { audit = false, writeback = {}, log = () => {} }: FederationOptions,
): Promise<Federation> {
  const member = (name: string) => environment.startCell(name, { audit, manifests: CELL_CRDS, namespaceController: true });
  log('Starting a hub with Karmada, two cells that are gateways, and a gateway');
  const [hub, ams, fra, gateway] = await Promise.all([
    environment.startHub({ audit, manifests: HUB_CRDS }),
    member('ams'),
    member('fra'),
    member('edge'),
  ]);
  await applyManifest(hub, inRepo('config/rbac/hub.yaml'));
  for (const cell of [ams, fra]) await applyManifest(cell, inRepo('config/rbac/cell.yaml'));
  log('Joining them to Karmada');
  await Promise.all([
    joinCluster(hub, ams, { gateways: true, location: ams.name }),
    joinCluster(hub, fra, { gateways: true, location: fra.name }),
    joinCluster(hub, gateway, { gateways: true }),
  ]);
  await applyManifest(hub, inRepo('config/policies/gateway.yaml'));
  log('Starting fedhub');
  const service = await startService(environment, { hub, cells: [ams, fra], writeback });
  return { environment, hub, cells: [ams, fra], gateway, service };
}

async function startService(
  environment: Environment,
  { hub, cells, writeback }: { hub: Plane; cells: Plane[]; writeback: Record<string, unknown> },
): Promise<Service> {
  const configFile = writeHubConfig(join(environment.folder, 'hub.yaml'), {
    hub: { kubeconfig: hub.serviceKubeconfig },
    cells: cells.map(({ name, serviceKubeconfig }) => ({ name, kubeconfig: serviceKubeconfig, location: name })),
    writeback,
  });
  const service = new Service({ environment, name: 'fedhub', configFile });
  await service.start();
  await service.ready();
  await service.eventually('every cell is mirrored', () => everyCellMirrored(service));
  return service;
}

async function everyCellMirrored(service: Service): Promise<boolean> {
  const { cells } = JSON.parse((await service.ask('/status')).body) as { cells: { phase: string }[] };
  return cells.length > 0 && cells.every(({ phase }) => phase === 'mirroring');
}
