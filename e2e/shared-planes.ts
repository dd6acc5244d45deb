import { join } from 'node:path';
import { ENDPOINT_SLICES } from '#api/resources.ts';
import { eventually } from '#e2e/eventually.ts';
import { auditOf, serviceWrites } from '#e2e/scenario/hub-side.ts';
import { resourcePath } from '#kube/paths.ts';
import { createAdmin } from '#planes/admin.ts';
import { startEnvironment } from '#planes/environment.ts';
import type { Environment } from '#planes/environment.ts';
import { rootSuite } from '#e2e/root-suite.ts';
import { applyManifest } from '#planes/manifests.ts';
import type { Plane } from '#planes/plane.ts';

/** A hub without Karmada and two cells, for every suite that asks in one run. Suites keep apart by namespaces. */
export type SharedPlanes = { environment: Environment; hub: Plane; c1: Plane; c2: Plane };

const ROOT = new URL('..', import.meta.url).pathname;

/** Starts and stops of planes on a busy machine, in milliseconds. The first start may have to build the programs. */
const START_MS = 20 * 60_000;
const STOP_MS = 60_000;

/**
 * The planes that all suites of one run share. The first suite that asks starts them, and mocha's root suite, which outlives
 * every other, keeps them and stops them at its end.
 */
export function sharedPlanes(suite: Mocha.Suite): Promise<SharedPlanes> {
  const root = rootSuite(suite);
  const kept = KEPT.get(root);
  if (kept !== undefined) return kept;
  const starting = startPlanes();
  KEPT.set(root, starting);
  root.afterAll('stop the shared planes', async function () {
    this.timeout(STOP_MS);
    await stopPlanes(await starting);
  });
  return starting;
}

/** How long a hook that asks for the planes may take. */
export const PLANES_TIMEOUT_MS = START_MS;

const KEPT = new WeakMap<Mocha.Suite, Promise<SharedPlanes>>();

async function startPlanes(): Promise<SharedPlanes> {
  const environment = await startEnvironment({ log: (line) => console.log(`      ${line}`) });
  const [hub, c1, c2] = await Promise.all([
    environment.startHub({ audit: true }),
    environment.startCell('c1', { audit: true }),
    environment.startCell('c2', { audit: true }),
  ]);
  await Promise.all([prepareHub(hub), prepareCell(c1), prepareCell(c2)]);
  return { environment, hub, c1, c2 };
}

/** Gives the service its rights on a hub, and nothing else, and the hub the kind that the service reports in. */
export async function prepareHub(hub: Plane): Promise<void> {
  await applyManifest(hub, join(ROOT, 'config/crd/cell-report.yaml'));
  await applyManifest(hub, join(ROOT, 'config/rbac/hub.yaml'));
  await untilAllowed(hub);
}

/** Gives the service its rights on a cell, and the cell the one kind that the service reads there beside built-in ones. */
export async function prepareCell(cell: Plane): Promise<void> {
  await applyManifest(cell, join(ROOT, 'e2e/crds/serving-location.yaml'));
  await applyManifest(cell, join(ROOT, 'config/rbac/cell.yaml'));
  await untilAllowed(cell);
}

/** Rights take a moment to be in force. A service that is started before sees 403, and would begin by waiting. */
async function untilAllowed({ name, url, files }: Plane): Promise<void> {
  const service = createAdmin({ name, url, ca: files.authority.certificate, token: files.serviceTokens[0] ?? '' });
  try {
    const path = resourcePath({ resource: ENDPOINT_SLICES });
    await eventually(`the service may read ${name}`, async () => (await service.status(path)) === 200);
  } finally {
    await service.close();
  }
}

/** No test may have made the service write on a cell, whatever it was about: the last word belongs to the audit log. */
async function stopPlanes({ environment, c1, c2 }: SharedPlanes): Promise<void> {
  const writes = [c1, c2].flatMap((cell) => serviceWrites(auditOf(cell)).map((write) => `${cell.name}: ${write}`));
  await environment.stop();
  if (writes.length > 0) throw new Error(`The service wrote on cells:\n${writes.join('\n')}`);
}
