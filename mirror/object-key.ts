import type { KubeObject } from '#api/objects.ts';

/** `namespace/name`, or `name` alone for a cluster-scoped object. Keys travel through the engine, never objects. */
export type ObjectKey = string;

/** The key of an object. */
export function keyOf(object: KubeObject): ObjectKey {
  return joinKey(object.metadata.namespace, object.metadata.name);
}

/** Joins a namespace (absent or empty for a cluster-scoped object) and a name. */
export function joinKey(namespace: string | undefined, name: string): ObjectKey {
  return namespace ? `${namespace}/${name}` : name;
}

/** Splits a key. `namespace` is absent for a cluster-scoped object. */
export function splitKey(key: ObjectKey): { namespace?: string; name: string } {
  const slash = key.indexOf('/');
  return slash < 0 ? { name: key } : { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}
