import { LOCATION_PUBLISHER, PUBLISHED_BY } from '#api/keys.ts';
import { CLUSTER_PROPAGATION_POLICIES, KARMADA_CLUSTERS, LOCATIONS, SERVING_LOCATIONS } from '#api/resources.ts';
import type { Client } from '#kube/client.ts';
import type { Log } from '#kube/log.ts';
import { Reflector, type ReflectorPace } from '#kube/reflector.ts';
import { type Observation, present, unknown } from '#mirror/observation.ts';
import { ReducedStore } from '#mirror/reduced-store.ts';
import type { LocationView } from '#policies/decide-location.ts';
import { type HeldObject, reduceHeld } from '#policies/held-object.ts';
import { locationOfPolicy, locationPolicyName } from '#policies/location-policy.ts';
import { type MemberCluster, reduceCluster } from '#policies/member-cluster.ts';
import { reduceLocation, type SourceLocation } from '#policies/source-location.ts';

/** Selects what the publisher keeps on the hub; only for policies, since a foreign serving location must be seen too. */
export const OURS = `${PUBLISHED_BY}=${LOCATION_PUBLISHER}`;

/** What the watches have told. Good enough to see that nothing is to be done; before anything is written, it is read live. */
export type LocationStores = {
  sources: ReducedStore<SourceLocation>;
  held: ReducedStore<HeldObject>;
  policies: ReducedStore<HeldObject>;
  clusters: ReducedStore<MemberCluster>;
  view(name: string, now: string): LocationView;
  /** Every location that is declared or of which the hub holds anything. */
  names(): Set<string>;
  /** Milliseconds of the client's monotonic clock at which the source last said anything. */
  lastContactMs(): number | undefined;
  /** Watches until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
};

/** Who is told of changes. */
export type StoresOptions = {
  hub: Client;
  source: Client;
  pace: ReflectorPace;
  log: Log;
  /** One location may have to be looked at. */
  changed: (name: string) => void;
  /** Something that decides about removals changed: the fleet, or how many Locations there are. */
  guardsChanged: () => void;
  /** One of the sets became known. */
  settled: () => void;
};

/** Prepares to watch Locations at their source, and on the hub serving locations, our policies and Karmada's clusters. */
export function createLocationStores({ hub, source, pace, log, changed, guardsChanged, settled }: StoresOptions): LocationStores {
  const changedSource = (name: string) => {
    changed(name);
    guardsChanged();
  };
  const changedPolicy = (name: string) => {
    const location = locationOfPolicy(name);
    if (location !== undefined) changed(location);
  };
  const sources = new ReducedStore({ reduce: reduceLocation, changed: changedSource, settled });
  const held = new ReducedStore({ reduce: reduceHeld, changed, settled });
  const policies = new ReducedStore({ reduce: reduceHeld, changed: changedPolicy, settled });
  const clusters = new ReducedStore({ reduce: reduceCluster, changed: guardsChanged, settled });
  const watching = { ...pace, log };
  const sourceReflector = new Reflector({ ...watching, client: source, resource: LOCATIONS, handler: sources.handler });
  const reflectors = [
    sourceReflector,
    new Reflector({ ...watching, client: hub, resource: SERVING_LOCATIONS, handler: held.handler }),
    new Reflector({ ...watching, client: hub, resource: CLUSTER_PROPAGATION_POLICIES, labelSelector: OURS, handler: policies.handler }),
    new Reflector({ ...watching, client: hub, resource: KARMADA_CLUSTERS, handler: clusters.handler }),
  ];
  return {
    ...{ sources, held, policies, clusters },
    view: (name, now) => ({
      ...{ name, now },
      source: sources.get(name),
      held: held.get(name),
      policy: policies.get(locationPolicyName(name)),
      sourceCount: whole(sources, (all) => all.length),
      clusters: whole(clusters, (all) => all),
    }),
    names: () => new Set([...sources.keys(), ...held.keys(), ...[...policies.keys()].flatMap((key) => locationOfPolicy(key) ?? [])]),
    lastContactMs: () => sourceReflector.state.lastContactMs,
    run: async (signal) => void (await Promise.all(reflectors.map((reflector) => reflector.run(signal)))),
  };
}

/** Something about a set as a whole, which is known only once the set is. */
function whole<T, R>(store: ReducedStore<T>, read: (all: T[]) => R): Observation<R> {
  return store.complete ? present(read(store.values())) : unknown('NotListed');
}
