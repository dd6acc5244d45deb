import type { Clock } from '#kube/clock.ts';
import type { ClusterIdentity } from '#mirror/cluster-identity.ts';
import type { IdentityClaims } from '#mirror/identity-claims.ts';

/** How often a name that gave way to another looks whether that one has left. */
const GIVE_WAY_MS = 30_000;

/** Who claims which cluster, and what to do when the claim may be made again. */
export type Claim = { claims: IdentityClaims; name: string; uid: string; clock: Clock; signal: AbortSignal; bindAnew: AbortController };

/**
 * Claims a cluster for a name. Where another name stands for the same cluster already, this one's identity is fenced, and it is to be
 * bound anew after a while: should the other have left, this one may have it. @returns the name that has the cluster.
 */
export function claimOrGiveWay(identity: ClusterIdentity, { claims, name, uid, clock, signal, bindAnew }: Claim): string {
  const owner = claims.claim(uid, name);
  if (owner === name) return owner;
  identity.fence();
  void clock.sleep(GIVE_WAY_MS, signal).then(() => bindAnew.abort());
  return owner;
}
