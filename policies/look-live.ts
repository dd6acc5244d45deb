import type { KubeObject } from '#api/objects.ts';
import { CLUSTER_PROPAGATION_POLICIES, KARMADA_CLUSTERS, LOCATIONS, type Resource, SERVING_LOCATIONS } from '#api/resources.ts';
import type { Client } from '#kube/client.ts';
import { isNotFound } from '#kube/errors.ts';
import type { Priority } from '#kube/gate.ts';
import { getObject } from '#kube/get.ts';
import { listPages } from '#kube/list.ts';
import { RECENT_MS } from '#mirror/cluster-identity.ts';
import { absent, type Observation, present, unknown } from '#mirror/observation.ts';
import type { LocationView } from '#policies/decide-location.ts';
import { reduceHeld } from '#policies/held-object.ts';
import type { LocationContext } from '#policies/location-context.ts';
import { locationPolicyName } from '#policies/location-policy.ts';
import { reduceCluster } from '#policies/member-cluster.ts';
import { reduceLocation } from '#policies/source-location.ts';

type Guards = Pick<LocationView, 'sourceCount' | 'clusters'>;
type Options = { signal: AbortSignal; priority: Priority };

/**
 * A location as quorum reads show it now. A Location is absent only when the server that serves the kind says 404 for this
 * name, a list of it was complete, and the plane has just said that it is still the same one (contract section 5).
 * @throws {ApiError | WaitingError} when anything could not be read: nothing may be concluded from that.
 */
export async function lookLive(context: LocationContext, name: string, options: Options): Promise<LocationView> {
  const { hub, source, stores, identity } = context;
  const now = new Date(hub.clock.wallMs()).toISOString();
  const location = await read(source, { resource: LOCATIONS, name, reduce: reduceLocation }, options);
  const held = await read(hub, { resource: SERVING_LOCATIONS, name, reduce: reduceHeld }, options);
  const policyName = locationPolicyName(name);
  const policy = await read(hub, { resource: CLUSTER_PROPAGATION_POLICIES, name: policyName, reduce: reduceHeld }, options);
  const gone = location.kind === 'absent';
  const guards = gone && stores.sources.complete ? await lookAtGuards(context, options) : NOT_ASKED;
  // Last, so that the plane's word covers all that was read of it.
  await identity.verify({ signal: options.signal, maxAgeMs: gone ? 0 : RECENT_MS });
  return { name, now, held, policy, source: gone && !stores.sources.complete ? unknown('NotListed') : location, ...guards };
}

const NOT_ASKED: Guards = { sourceCount: unknown('NotAsked'), clusters: unknown('NotAsked') };

/** All that speaks for or against a removal. */
async function lookAtGuards({ hub, source }: LocationContext, options: Options): Promise<Guards> {
  const sources = await listAll(source, LOCATIONS, options);
  const clusters = await listAll(hub, KARMADA_CLUSTERS, options);
  return { sourceCount: present(sources.length), clusters: present(clusters.map(reduceCluster)) };
}

async function read<T>(
  client: Client,
  { resource, name, reduce }: { resource: Resource; name: string; reduce: (object: KubeObject) => T },
  options: Options,
): Promise<Observation<T>> {
  try {
    return present(reduce(await getObject<KubeObject>(client, { resource, name }, options)));
  } catch (error) {
    if (!isNotFound(error)) throw error;
    return absent('weak');
  }
}

/** Every object of a kind, from a list that was read to its end. */
export async function listAll(client: Client, resource: Resource, options: Options & { labelSelector?: string }): Promise<KubeObject[]> {
  const objects: KubeObject[] = [];
  for await (const page of listPages<KubeObject>(client, { resource, ...options })) objects.push(...page.items);
  return objects;
}
