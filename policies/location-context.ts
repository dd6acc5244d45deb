import type { Client } from '#kube/client.ts';
import type { Log } from '#kube/log.ts';
import type { ClusterIdentity } from '#mirror/cluster-identity.ts';
import type { LastWrites } from '#policies/last-writes.ts';
import type { LocationStores } from '#policies/location-stores.ts';
import type { Reporter } from '#policies/reporter.ts';

/** What every step of a reconcile works on. */
export type LocationContext = {
  hub: Client;
  /** The plane that Locations are declared on: read only. */
  source: Client;
  /** Who the source's plane is. */
  identity: ClusterIdentity;
  stores: LocationStores;
  lastWrites: LastWrites;
  reporter: Reporter;
  log: Log;
};
