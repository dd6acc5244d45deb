import { join } from 'node:path';
import { UPSTREAM_CLUSTER_NAME, UPSTREAM_NAMESPACE } from '#api/keys.ts';
import { eventually } from '#e2e/eventually.ts';
import { writeHubConfig } from '#e2e/hub-config.ts';
import { inBatches } from '#e2e/scenario/in-batches.ts';
import { createNamespace, slicesOf } from '#e2e/scenario/slices.ts';
import { sourceObject } from '#e2e/scenario/source-object.ts';
import { Service } from '#e2e/service.ts';
import { INSPECTED } from '#bench/collect-garbage.ts';
import { prepareCell, prepareHub } from '#e2e/shared-planes.ts';
import type { Environment } from '#planes/environment.ts';
import type { Plane } from '#planes/plane.ts';

/** A hub, a cell with one namespace, and the service between them. */
export type Stage = { hub: Plane; cell: Plane; namespace: string; service: Service; configure(writeback: Record<string, string>): void };

/** The location of the cell. */
export const LOCATION = 'ams';

/** How often, and for how long, many copies are looked for: listing them is work for the hub. */
const MANY = { intervalMs: 1_000, deadlineMs: 10 * 60_000 };

/** Starts hub and cell; the service is configured and not started. */
export async function setStage(environment: Environment): Promise<Stage> {
  const [hub, cell] = await Promise.all([environment.startHub({ audit: true }), environment.startCell('cell', { audit: true })]);
  await Promise.all([prepareHub(hub), prepareCell(cell)]);
  const namespace = 'ns-bench';
  const labels = { [UPSTREAM_CLUSTER_NAME]: 'cluster-bench', [UPSTREAM_NAMESPACE]: 'default' };
  for (const { admin } of [hub, cell]) await createNamespace(admin, { name: namespace, labels });
  const configFile = join(environment.folder, 'hub.yaml');
  const configure = (writeback: Record<string, string>) => {
    const cells = [{ name: cell.name, kubeconfig: cell.serviceKubeconfig, location: LOCATION }];
    // The log of every change would be most of what is written here.
    writeHubConfig(configFile, { hub: { kubeconfig: hub.serviceKubeconfig }, cells, writeback, log: { level: 'info' } });
  };
  return { hub, cell, namespace, configure, service: new Service({ environment, name: 'fedhub', configFile, flags: INSPECTED }) };
}

/** The name of a source. */
export function sourceName(index: number): string {
  return `pod-${index}`;
}

/** Fills the cell up to so many sources, which needs no running service. */
export async function fillCell({ cell, namespace }: Stage, { from, to }: { from: number; to: number }): Promise<void> {
  const slices = slicesOf(cell.admin);
  const names = Array.from({ length: to - from }, (_, index) => sourceName(from + index));
  await inBatches(names, (name) => slices.create(sourceObject({ namespace, name })));
}

/** Starts the service, and resolves when the hub holds so many copies and the first sweep is over. */
export async function startAndPublish({ hub, cell, namespace, service }: Stage, count: number): Promise<void> {
  await service.start();
  const copies = async () => (await slicesOf(hub.admin).list(namespace)).length;
  await eventually(`${count} copies`, async () => (await copies()) === count, MANY);
  await service.sweptOnce(cell.name);
}
