import type { KubeObject } from '#api/objects.ts';
import type { Resource } from '#api/resources.ts';

/** True for a JSON object: not null, not an array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * True when the value has what every Kubernetes object has: metadata with a name.
 * The caller's type is taken on trust beyond that, as the server validates its own objects.
 */
export function isObject<T extends KubeObject>(value: unknown): value is T {
  return (
    isRecord(value) && isRecord(value['metadata']) && typeof value['metadata']['name'] === 'string' && value['metadata']['name'] !== ''
  );
}

/** True when the value is the object of that kind, namespace and name, and not an answer to some other question. */
export function isObjectNamed<T extends KubeObject>(
  value: unknown,
  ref: { resource: Resource; namespace?: string | undefined; name?: string | undefined },
): value is T {
  const namespace = ref.resource.namespaced ? ref.namespace : undefined;
  return isObject(value) && value.kind === ref.resource.kind && value.metadata.name === ref.name && value.metadata.namespace === namespace;
}

/** `group/version`, or the version alone for the core group. */
export function apiVersionOf({ group, version }: Resource): string {
  return group === '' ? version : `${group}/${version}`;
}
