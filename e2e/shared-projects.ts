import { join } from 'node:path';
import { sharedPlanes } from '#e2e/shared-planes.ts';
import type { SharedPlanes } from '#e2e/shared-planes.ts';
import type { Environment } from '#planes/environment.ts';
import { applyManifest } from '#planes/manifests.ts';
import type { Plane } from '#planes/plane.ts';

/** The shared hub, ready for the replicator, and two projects, for every suite that asks in one run. */
export type SharedProjects = { environment: Environment; hub: Plane; p1: Plane; p2: Plane };

const ROOT = new URL('..', import.meta.url).pathname;
const KINDS = ['network', 'network-context', 'subnet'].map((kind) => join(ROOT, `e2e/crds/${kind}.yaml`));

/** Starts two projects beside the planes that all suites of a run share, once; they end with them. */
export async function sharedProjects(suite: Mocha.Suite): Promise<SharedProjects> {
  const planes = await sharedPlanes(suite);
  const starting = KEPT.get(planes) ?? startProjects(planes);
  KEPT.set(planes, starting);
  return starting;
}

const KEPT = new WeakMap<SharedPlanes, Promise<SharedProjects>>();

async function startProjects({ environment, hub }: SharedPlanes): Promise<SharedProjects> {
  const options = { audit: true, namespaceController: true };
  const [p1, p2] = await Promise.all([environment.startCell('p1', options), environment.startCell('p2', options)]);
  for (const kind of KINDS) await Promise.all([hub, p1, p2].map((plane) => applyManifest(plane, kind)));
  await applyManifest(hub, join(ROOT, 'config/rbac/hub-replicator.yaml'));
  for (const project of [p1, p2]) await applyManifest(project, join(ROOT, 'config/rbac/project.yaml'));
  return { environment, hub, p1, p2 };
}
