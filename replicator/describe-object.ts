import { SOURCE_CLUSTER_UID, UPSTREAM_CLUSTER_NAME, UPSTREAM_KIND, UPSTREAM_NAME, UPSTREAM_NAMESPACE } from '#api/keys.ts';
import { REPLICATOR_FIELD_MANAGER } from '#api/field-managers.ts';
import type { KubeObject } from '#api/objects.ts';
import { fullValue } from '#mirror/label-value.ts';
import { joinKey } from '#mirror/object-key.ts';
import { ownedLabels } from '#mirror/owned-fields.ts';
import type { CopyDescription } from '#mirror/published-index.ts';
import type { ReplicatedKind } from '#replicator/replicated-kind.ts';

/**
 * Whose copy a hub object is, by its upstream labels. One that lost some of them still says from which cluster it came, so that
 * it can be put right; undefined for one that says neither.
 */
export function describeObject(kind: ReplicatedKind, copy: KubeObject): CopyDescription | undefined {
  const { metadata } = copy;
  const origin = fullValue(UPSTREAM_CLUSTER_NAME, metadata);
  const namespace = fullValue(UPSTREAM_NAMESPACE, metadata);
  const name = fullValue(UPSTREAM_NAME, metadata);
  const sourceCluster = metadata.annotations?.[SOURCE_CLUSTER_UID];
  const rest = { sourceCluster, fixed: propagated(kind, copy) };
  if (origin && namespace && name && metadata.labels?.[UPSTREAM_KIND] !== undefined) {
    return { origin, source: joinKey(namespace, name), sourceRecorded: true, ...rest };
  }
  return sourceCluster === undefined ? undefined : { origin: undefined, source: '', sourceRecorded: false, ...rest };
}

/**
 * The propagated labels as we set them. Karmada never moves a claimed object to another policy, so a copy whose source was
 * relabelled is made anew; one that somebody relabelled by hand is not ours to judge by (`''`), and is put right in place.
 */
function propagated({ propagatedLabels }: ReplicatedKind, copy: KubeObject): string {
  const present = propagatedLabels.filter((key) => copy.metadata.labels?.[key] !== undefined);
  const owned = ownedLabels(copy, REPLICATOR_FIELD_MANAGER);
  if (present.some((key) => !(key in owned))) return '';
  return JSON.stringify(present.toSorted().map((key) => [key, owned[key]]));
}
