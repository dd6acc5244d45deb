import type { KubeObject } from '#api/objects.ts';
import type { Client } from '#kube/client.ts';
import type { Log } from '#kube/log.ts';
import type { Priority } from '#kube/gate.ts';
import type { Holds } from '#mirror/holds.ts';
import type { DirtyBuffer } from '#mirror/dirty-buffer.ts';
import type { ObservedStore } from '#mirror/observed-store.ts';
import type { ObjectKey } from '#mirror/object-key.ts';
import type { PublishedIndex } from '#mirror/published-index.ts';
import type { ShrinkGuard } from '#mirror/shrink-guard.ts';
import type { Workqueue } from '#mirror/workqueue.ts';
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
  /** Copies at this place that have their source in another cluster, as the last complete observation found them. */
  others: { count: number };
  /** Sources to be looked at. */
  queue: Workqueue;
  /** Sources that are not as they should be, or are passed over, and why. */
  holds: Holds;
  /** Says whether copies may be withdrawn on weak evidence. */
  guard: ShrinkGuard;
  /** The newest version of its sources that the plane has shown to the watch; undefined before the first. */
  newestVersion(): string | undefined;
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
