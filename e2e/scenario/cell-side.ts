import { startProxied } from '#e2e/scenario/proxied.ts';
import type { Proxied } from '#e2e/scenario/proxied.ts';
import { labelNamespace, readNamespace, slicesOf } from '#e2e/scenario/slices.ts';
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
  /** Sets labels of a namespace, or removes those that are null, and returns what they were. */
  relabel(namespace: string, labels: Record<string, string | null>): Promise<Record<string, string>>;
};

/** Puts a proxy of the scenario's own before a cell. */
export async function startCellSide(plane: Plane, { folder, location }: { folder: string; location: string }): Promise<CellSide> {
  const identity = await readNamespace(plane.admin, 'kube-system');
  const proxied = await startProxied(plane, folder);
  return {
    ...proxied,
    ...{ name: plane.name, location, clusterUid: identity?.metadata.uid ?? '', slices: slicesOf(plane.admin) },
    relabel: async (namespace, labels) => {
      const before = await readNamespace(plane.admin, namespace);
      await labelNamespace(plane.admin, namespace, labels);
      return before?.metadata.labels ?? {};
    },
  };
}
