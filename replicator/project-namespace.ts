import { UPSTREAM_NAMESPACE } from '#api/keys.ts';
import { HUB_NAMESPACE_PREFIX } from '#api/names.ts';
import type { KubeObject } from '#api/objects.ts';

/** What is kept of a project's namespace. */
export type ProjectNamespace = {
  name: string;
  uid: string;
  /** It carries an upstream label itself: its content was copied there, and copying that on would never end (contract section 3). */
  isCopy: boolean;
};

/** Reduces a project's namespace to what is read of it. */
export function reduceProjectNamespace({ metadata }: KubeObject): ProjectNamespace {
  return { name: metadata.name, uid: metadata.uid ?? '', isCopy: metadata.labels?.[UPSTREAM_NAMESPACE] !== undefined };
}

/** The hub's namespace for a project namespace of this UID: a namespace made again is another one. */
export function hubNamespaceName(uid: string): string {
  return HUB_NAMESPACE_PREFIX + uid;
}
