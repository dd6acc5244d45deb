import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBinaries } from '#planes/binaries.ts';
import { startEnvironment } from '#planes/environment.ts';
import type { Environment } from '#planes/environment.ts';
import { joinCluster } from '#planes/join-cluster.ts';
import { applyManifest } from '#planes/manifests.ts';
import type { Plane } from '#planes/plane.ts';
import { BUILD_ORDER } from '#planes/programs.ts';

const USAGE = `Usage: node planes/main.ts build   find or build every program, and say where it lies
       node planes/main.ts up      start a hub with Karmada, two cells and a gateway, until Ctrl-C`;

/** Exit code for a command line that means nothing, as of the service. */
const USAGE_EXIT = 2;

const log = (line: string) => void process.stdout.write(`${line}\n`);

await main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});

async function main([command]: string[]): Promise<void> {
  if (command === 'build') return build();
  if (command === 'up') return up();
  process.stderr.write(`${USAGE}\n`);
  process.exitCode = USAGE_EXIT;
}

async function build(): Promise<void> {
  const binaries = await ensureBinaries(BUILD_ORDER, { log });
  for (const program of BUILD_ORDER) log(binaries.path(program));
}

async function up(): Promise<void> {
  const environment = await startEnvironment({ karmada: true, kubectl: true, log });
  try {
    await startPlanes(environment);
  } catch (error) {
    await environment.stop();
    throw error;
  }
  log('Everything runs until Ctrl-C.');
  await new Promise(() => setInterval(() => {}, 2 ** 30)); // the environment ends this process on a signal
}

async function startPlanes(environment: Environment): Promise<void> {
  log('Starting a hub with Karmada, two cells that are gateways, and a gateway');
  const [hub, ...members] = await Promise.all([
    environment.startHub(),
    ...['cell-1', 'cell-2', 'gateway'].map((name) => environment.startCell(name)),
  ]);
  await grantRights(hub, 'hub');
  for (const member of members) {
    const isCell = member.name !== 'gateway';
    if (isCell) await grantRights(member, 'cell');
    await joinCluster(hub, member, { gateways: true, ...(isCell ? { location: member.name } : {}) });
  }
  for (const plane of [hub, ...members]) describe(plane);
  log(`Try: ${environment.binaries.path('kubectl')} --kubeconfig ${hub.adminKubeconfig} get clusters.cluster.karmada.io`);
}

async function grantRights(plane: Plane, side: 'hub' | 'cell'): Promise<void> {
  const file = join(import.meta.dirname, '../config/rbac', `${side}.yaml`);
  if (existsSync(file)) await applyManifest(plane, file);
}

function describe({ name, url, adminKubeconfig, serviceKubeconfig }: Plane): void {
  log(`${name.padEnd(8)} ${url}\n         admin   ${adminKubeconfig}\n         service ${serviceKubeconfig}`);
}
