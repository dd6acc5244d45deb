import { join } from 'node:path';
import { writeHubConfig } from '#e2e/hub-config.ts';
import { startCellSide } from '#e2e/scenario/cell-side.ts';
import type { CellSide } from '#e2e/scenario/cell-side.ts';
import { startHubSide } from '#e2e/scenario/hub-side.ts';
import type { HubSide } from '#e2e/scenario/hub-side.ts';
import { Service } from '#e2e/service.ts';
import { prepareCell, prepareHub } from '#e2e/shared-planes.ts';
import { startEnvironment } from '#planes/environment.ts';
import type { Environment } from '#planes/environment.ts';

/** What all schedules of a run are played on: planes of their own, proxies before them, and the program. */
export type Stage = { environment: Environment; hub: HubSide; cells: CellSide[]; service: Service; close(): Promise<void> };

/**
 * So short that a schedule takes seconds. A watch that is remade too soon counts as failed, hence the longer silence.
 * The guard doubts a crowd that is gone, and no more: what it holds back would hide what else is wrong.
 */
const WRITEBACK = {
  sweepInterval: '1s',
  retryInterval: '500ms',
  idleTimeout: '12s',
  shrinkGuard: { believedAbsent: 6, confirmations: 2, confirmAfter: '2s' },
};

/** Above what a run of hours logs: a log that is begun anew would lose what has not been judged yet. */
const ONE_AUDIT_LOG = ['--audit-log-maxsize=4000'];

/** Starts everything, the program included. Whatever had started is ended when something cannot. */
export async function openStage(log: (line: string) => void): Promise<Stage> {
  const environment = await startEnvironment({ log });
  try {
    return await build(environment);
  } catch (error) {
    await environment.stop();
    throw error;
  }
}

async function build(environment: Environment): Promise<Stage> {
  const options = { audit: true, flags: ONE_AUDIT_LOG };
  const [hubPlane, ...cellPlanes] = await Promise.all([
    environment.startHub(options),
    environment.startCell('c1', options),
    environment.startCell('c2', options),
  ]);
  await Promise.all([prepareHub(hubPlane), ...cellPlanes.map(prepareCell)]);
  const { folder } = environment;
  const hub = await startHubSide(hubPlane, folder);
  const locations = ['dfw', 'ams'];
  const cells = await Promise.all(cellPlanes.map((plane, at) => startCellSide(plane, { folder, location: locations[at] ?? plane.name })));
  const configFile = writeHubConfig(join(folder, 'hub.yaml'), {
    hub: { kubeconfig: hub.kubeconfig },
    cells: cells.map(({ name, kubeconfig, location }) => ({ name, kubeconfig, location })),
    writeback: WRITEBACK,
  });
  const service = new Service({ environment, name: 'tortured', configFile });
  const close = async () => {
    await environment.stop();
    await Promise.all([hub, ...cells].map(({ proxy }) => proxy.close()));
  };
  await service.start();
  return { environment, hub, cells, service, close };
}
