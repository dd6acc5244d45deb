import { randomUUID } from 'node:crypto';
import { NAMESPACES } from '#api/resources.ts';
import { eventually } from '#e2e/eventually.ts';
import { objectsOn } from '#e2e/locations/objects-on.ts';
import type { ObjectsOn } from '#e2e/locations/objects-on.ts';
import { auditOf, serviceWrites } from '#e2e/scenario/hub-side.ts';
import { startProxied } from '#e2e/scenario/proxied.ts';
import type { Proxied } from '#e2e/scenario/proxied.ts';
import { createNamespace, deleteNamespace, readNamespace } from '#e2e/scenario/slices.ts';
import type { Plane } from '#planes/plane.ts';

/** A namespace of a project, and the name of the hub's namespace for it. */
export type ProjectNamespace = { name: string; uid: string; hubName: string };

/** One project of a scenario. */
export type ProjectSide = Proxied & {
  /** Its name in the service's configuration. */
  name: string;
  /** UID of its `kube-system` namespace. */
  clusterUid: string;
  objects: ObjectsOn;
  /** Makes a namespace, under a name of its own unless one is given. */
  createNamespace(name?: string, labels?: Record<string, string>): Promise<ProjectNamespace>;
  /** Deletes a namespace with all that is in it, and waits until it is gone. */
  deleteNamespace(name: string): Promise<void>;
  /** Deletes every namespace that was made, and waits until the last is gone. */
  clear(): Promise<ProjectNamespace[]>;
  /** What the service has written since this project was put into the scenario, as `verb namespace/name`: nothing at all, ever. */
  writes(): string[];
};

/** Puts a proxy of the scenario's own before a project. */
export async function startProjectSide(plane: Plane, { folder, name }: { folder: string; name: string }): Promise<ProjectSide> {
  const identity = await readNamespace(plane.admin, 'kube-system');
  const mark = auditOf(plane).length;
  const made: ProjectNamespace[] = [];
  const remove = async (namespace: string) => {
    await deleteNamespace(plane.admin, namespace);
    await eventually(`${namespace} is gone from ${name}`, async () => (await readNamespace(plane.admin, namespace)) === undefined);
  };
  return {
    ...(await startProxied(plane, folder)),
    ...{ name, clusterUid: identity?.metadata.uid ?? '', objects: objectsOn(plane.admin) },
    createNamespace: async (namespace = `team-${randomUUID().slice(0, 8)}`, labels = {}) => {
      await createNamespace(plane.admin, { name: namespace, labels });
      const uid = (await objectsOn(plane.admin).read({ resource: NAMESPACES, name: namespace }))?.metadata.uid ?? '';
      made.push({ name: namespace, uid, hubName: `ns-${uid}` });
      return { name: namespace, uid, hubName: `ns-${uid}` };
    },
    deleteNamespace: remove,
    clear: async () => {
      await Promise.all([...new Set(made.map((one) => one.name))].map(remove));
      return made;
    },
    writes: () => serviceWrites(auditOf(plane).slice(mark)),
  };
}
