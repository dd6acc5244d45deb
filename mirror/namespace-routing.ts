import { UPSTREAM_CLUSTER_NAME, UPSTREAM_NAMESPACE } from '#api/keys.ts';
import type { KubeObject } from '#api/objects.ts';

/** What is kept of a hub or cell namespace: the two routing labels as they are, and whether it is going. */
export type NamespaceRouting = {
  cluster: string | undefined;
  namespace: string | undefined;
  /** The full value where the label had to be shortened; carried along with the label. */
  clusterInFull: string | undefined;
  terminating: boolean;
};

/** Reduces a namespace to what routing reads of it (contract section 2, "Project routing"). */
export function reduceNamespace({ metadata }: KubeObject): NamespaceRouting {
  return {
    cluster: metadata.labels?.[UPSTREAM_CLUSTER_NAME],
    namespace: metadata.labels?.[UPSTREAM_NAMESPACE],
    clusterInFull: metadata.annotations?.[UPSTREAM_CLUSTER_NAME],
    terminating: metadata.deletionTimestamp !== undefined,
  };
}
