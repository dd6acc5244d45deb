import type { KubeObject } from '#api/objects.ts';
import type { Client } from '#kube/client.ts';
import type { Log } from '#kube/log.ts';
import type { Priority } from '#kube/gate.ts';
import type { DirtyBuffer } from '#mirror/dirty-buffer.ts';
import type { ObservedStore } from '#mirror/observed-store.ts';
import type { ObjectKey } from '#mirror/object-key.ts';
import type { PublishedIndex } from '#mirror/published-index.ts';
import type { MirrorRules } from '#mirror/rules.ts';

/** Both ends of one mirror and what is known of them; what every step of a reconcile works on. */
export type MirrorContext<S extends KubeObject> = {
  rules: MirrorRules<S>;
  /** The plane of the sources: read only. */
  source: Client;
  hub: Client;
  /** What the sources' plane holds. */
  observed: ObservedStore;
  /** What the hub holds. */
  published: PublishedIndex;
  /** Sources that changed and were not reconciled yet. */
  dirty: DirtyBuffer<S>;
  /** By source: copies of ours that stand where the source does not call for one. */
  strays: Map<ObjectKey, Set<ObjectKey>>;
  log: Log;
};

/** What a reconcile did, or why it did nothing. */
export type Outcome = {
  action: 'none' | 'created' | 'updated' | 'replaced' | 'withdrawn' | 'kept' | 'waiting' | 'refused';
  /** From a closed set; log field and metric label. */
  reason?: string;
  /** An operator should know. */
  report?: boolean;
  /** Not done yet: come back in this lane. */
  requeue?: Priority;
};
