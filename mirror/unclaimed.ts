import type { KubeObject } from '#api/objects.ts';
import type { MirrorContext } from '#mirror/mirror-context.ts';
import type { ObjectKey } from '#mirror/object-key.ts';
import { isAnothers, isOwnCluster } from '#mirror/ownership.ts';

/**
 * Sources whose copies must be looked at, how many copies nobody may touch, and how many stand where they should and have their source in
 * another cluster.
 */
export type Unclaimed = { sources: Set<ObjectKey>; misplaced: number; others: number };

/**
 * The sources of copies that no known source claims: those that `known` does not hold, and those whose copy stands in the
 * wrong place (the location was renamed, the namespace was made again), which are noted as strays.
 * A copy in the wrong place that does not say for certain that it is ours is only counted.
 */
export function findUnclaimed<S extends KubeObject>(
  { published, rules, strays }: MirrorContext<S>,
  known: (source: ObjectKey) => boolean,
): Unclaimed {
  const sources = new Set<ObjectKey>();
  let [misplaced, others] = [0, 0];
  for (const [copyKey, copy] of published.from(rules)) {
    if (copy.origin === rules.origin && rules.copyKey(copy.source) === copyKey) {
      if (isAnothers(copy, rules)) others += 1;
      else if (!known(copy.source)) sources.add(copy.source);
    } else if (isOwnCluster(copy.sourceCluster, rules) && copy.sourceRecorded) {
      strays.set(copy.source, (strays.get(copy.source) ?? new Set()).add(copyKey));
      sources.add(copy.source);
    } else misplaced += 1;
  }
  return { sources, misplaced, others };
}
