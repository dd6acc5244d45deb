import { startProxied } from '#e2e/scenario/proxied.ts';
import type { Proxied } from '#e2e/scenario/proxied.ts';
import { readNamespace, slicesOf } from '#e2e/scenario/slices.ts';
import type { Slices } from '#e2e/scenario/slices.ts';
import type { Plane } from '#planes/plane.ts';

/** One cell of a scenario. */
export type CellSide = Proxied & {
  /** Its name in the service's configuration. */
  name: string;
  /** The location that it is configured with. */
  location: string;
  /** UID of its `kube-system` namespace. */
  clusterUid: string;
  slices: Slices;
};

/** Puts a proxy of the scenario's own before a cell. */
export async function startCellSide(plane: Plane, { folder, location }: { folder: string; location: string }): Promise<CellSide> {
  const identity = await readNamespace(plane.admin, 'kube-system');
  const proxied = await startProxied(plane, folder);
  return { ...proxied, name: plane.name, location, clusterUid: identity?.metadata.uid ?? '', slices: slicesOf(plane.admin) };
}
