import { ENDPOINT_SLICES, NAMESPACES } from '#api/resources.ts';
import type { Resource } from '#api/resources.ts';
import type { EndpointSlice, KubeObject, Namespace } from '#api/objects.ts';
import { eventually } from '#e2e/eventually.ts';
import { isNotFound } from '#kube/errors.ts';
import { isObject } from '#kube/objects.ts';
import { resourcePath } from '#kube/paths.ts';
import type { Admin } from '#planes/admin.ts';
import type { SliceKey } from '#e2e/scenario/source-object.ts';

/** Slices of one plane as its admin sees them: what tests set up, break and look at. */
export type Slices = {
  create(object: EndpointSlice): Promise<EndpointSlice>;
  /** Undefined where there is none. */
  read(key: SliceKey): Promise<EndpointSlice | undefined>;
  list(namespace: string): Promise<EndpointSlice[]>;
  /** JSON merge patch: `null` removes a key. */
  patch(key: SliceKey, patch: object): Promise<EndpointSlice>;
  /** Fine where it is gone already. */
  delete(key: SliceKey): Promise<void>;
  clear(namespace: string): Promise<void>;
};

/** How long clearing a namespace may take, in milliseconds. */
const CLEAR_MS = 5 * 60_000;
const MERGE_PATCH = 'application/merge-patch+json';

/** The admin's hands on slices. */
export function slicesOf(admin: Admin): Slices {
  const path = (key: { namespace: string; name?: string }) => resourcePath({ resource: ENDPOINT_SLICES, ...key });
  return {
    create: async (object) =>
      requireObject(await admin.ask({ method: 'POST', path: path({ namespace: namespaceOf(object) }), body: object })),
    read: (key) => readObject(admin, { resource: ENDPOINT_SLICES, ...key }),
    async list(namespace) {
      const list = (await admin.ask({ path: path({ namespace }) })) as { items: EndpointSlice[] };
      return list.items;
    },
    patch: async (key, patch) =>
      requireObject(await admin.ask({ method: 'PATCH', path: path(key), body: patch, contentType: MERGE_PATCH })),
    delete: (key) => ignoringNotFound(admin.ask({ method: 'DELETE', path: path(key) })),
    // Thousands may take longer than the admin waits for one answer: the rest is then asked for again.
    clear: async (namespace) => {
      const clearOnce = () => ignoringNotFound(admin.ask({ method: 'DELETE', path: path({ namespace }) })).then(() => true);
      await eventually(`${namespace} is empty`, clearOnce, { deadlineMs: CLEAR_MS });
    },
  };
}

/** Makes a namespace with these labels. */
export function createNamespace(admin: Admin, metadata: { name: string; labels: Record<string, string> }): Promise<unknown> {
  return admin.ask({
    method: 'POST',
    path: resourcePath({ resource: NAMESPACES }),
    body: { apiVersion: 'v1', kind: 'Namespace', metadata },
  });
}

/** The namespace, or undefined where there is none. */
export function readNamespace(admin: Admin, name: string): Promise<Namespace | undefined> {
  return readObject(admin, { resource: NAMESPACES, name });
}

/** Sets these labels of a namespace; null removes one. */
export function labelNamespace(admin: Admin, name: string, labels: Record<string, string | null>): Promise<unknown> {
  const path = resourcePath({ resource: NAMESPACES, name });
  return admin.ask({ method: 'PATCH', path, body: { metadata: { labels } }, contentType: MERGE_PATCH });
}

/** Asks for a namespace to go; its end takes longer. Fine where it is gone already. */
export function deleteNamespace(admin: Admin, name: string): Promise<void> {
  return ignoringNotFound(admin.ask({ method: 'DELETE', path: resourcePath({ resource: NAMESPACES, name }) }));
}

async function readObject<T extends KubeObject>(
  admin: Admin,
  ref: { resource: Resource; namespace?: string; name: string },
): Promise<T | undefined> {
  try {
    return requireObject<T>(await admin.ask({ path: resourcePath(ref) }));
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

async function ignoringNotFound(answer: Promise<unknown>): Promise<void> {
  await answer.catch((error: unknown) => {
    if (!isNotFound(error)) throw error;
  });
}

function requireObject<T extends KubeObject>(answer: unknown): T {
  if (!isObject<T>(answer)) throw new Error(`Not an object: ${JSON.stringify(answer)}`);
  return answer;
}

function namespaceOf({ metadata }: EndpointSlice): string {
  if (metadata.namespace === undefined) throw new Error(`Slice "${metadata.name}" names no namespace`);
  return metadata.namespace;
}
