import type { Occupant } from '#mirror/observation.ts';
import type { ObjectKey } from '#mirror/object-key.ts';
import type { CopyDescription } from '#mirror/published-index.ts';

/** Who a copy must belong to. */
export type Owner = { origin: string; sourceCluster: string; formerClusters?: ReadonlySet<string>; source: ObjectKey };

/**
 * Whether what stands under a copy's name is the copy of this source (contract section 2, row 8).
 * A missing source name or cluster UID is forgiven here: somebody edited it away, or an older copier never wrote it, and
 * applying puts it right.
 */
export function judgeOccupant(found: CopyDescription | undefined, owner: Owner): Occupant {
  if (!found) return 'foreign';
  // Its cluster and the place where it stands, which is for this source alone, say enough where the label was taken off.
  if (found.origin === undefined) return isOwnCluster(found.sourceCluster, owner) ? 'ours' : 'foreign';
  if (found.origin !== owner.origin) return 'foreign';
  // A guess counts for nothing here: a long name is cut, and what stands under this source's name and names no other is its own.
  if (found.sourceRecorded && found.source !== owner.source) return 'foreign';
  return found.sourceCluster === undefined || isOwnCluster(found.sourceCluster, owner) ? 'ours' : 'foreign';
}

/** Whether the copy may be deleted for this source: every mark must be there and right (contract section 5). */
export function mayDelete(found: CopyDescription | undefined, owner: Owner): boolean {
  return (
    judgeOccupant(found, owner) === 'ours' &&
    found?.origin === owner.origin &&
    found.sourceRecorded &&
    isOwnCluster(found.sourceCluster, owner)
  );
}

/**
 * Whether the copy says of itself that a source of another cluster calls for it. Where two clusters share a location, it is that one's
 * to look after: neither a sign of a source that is gone, nor to be withdrawn.
 */
export function isAnothers(found: Pick<CopyDescription, 'sourceCluster'>, owner: Pick<Owner, 'sourceCluster' | 'formerClusters'>): boolean {
  return found.sourceCluster !== undefined && !isOwnCluster(found.sourceCluster, owner);
}

/**
 * Whether a copy's cluster is the one that is mirrored now, or one that its name stood for before an operator bound it anew:
 * what that one left behind is this one's to take over.
 */
export function isOwnCluster(uid: string | undefined, owner: Pick<Owner, 'sourceCluster' | 'formerClusters'>): boolean {
  return uid !== undefined && (uid === owner.sourceCluster || owner.formerClusters?.has(uid) === true);
}
