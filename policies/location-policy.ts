import { CLUSTER_LOCATION, LOCATION, LOCATION_PUBLISHER, PUBLISHED_BY } from '#api/keys.ts';
import { LOCATION_POLICY_PREFIX } from '#api/names.ts';
import type { KubeObject } from '#api/objects.ts';
import { CLUSTER_PROPAGATION_POLICIES, SERVING_LOCATIONS } from '#api/resources.ts';
import { apiVersionOf } from '#kube/objects.ts';

/** The kinds that a project's objects of one location are of. Their group and version are those of the serving location. */
const KINDS_OF_LOCATION = ['NetworkContext', 'Subnet'];

/**
 * The policy that carries one location to its clusters (contract section 4): the serving location itself, and the network
 * contexts and subnets with its label. `location` is a location's name, a DNS label, so every value that is made of it fits.
 * Every field that Karmada would fill in is stated, so that what the hub answers can be compared with this as it is.
 */
export function locationPolicy(location: string): KubeObject {
  const apiVersion = apiVersionOf(SERVING_LOCATIONS);
  const labelSelector = { matchLabels: { [LOCATION]: location } };
  return {
    apiVersion: apiVersionOf(CLUSTER_PROPAGATION_POLICIES),
    kind: CLUSTER_PROPAGATION_POLICIES.kind,
    metadata: { name: locationPolicyName(location), labels: { [PUBLISHED_BY]: LOCATION_PUBLISHER } },
    spec: {
      resourceSelectors: [
        { apiVersion, kind: SERVING_LOCATIONS.kind, name: location },
        ...KINDS_OF_LOCATION.map((kind) => ({ apiVersion, kind, labelSelector })),
      ],
      placement: { clusterAffinity: { labelSelector: { matchLabels: { [CLUSTER_LOCATION]: location } } } },
      // Nobody but the hub writes these kinds on a cell. With Abort, copies that a rebuilt hub or a rejoined cluster finds
      // there would be refused for ever, and the cell would stay at what it had.
      conflictResolution: 'Overwrite',
      // A copy that is withdrawn on the hub must leave the cell.
      preserveResourcesOnDeletion: false,
      preemption: 'Never',
      priority: 0,
      schedulerName: 'default-scheduler',
    },
  };
}

/** The name of a location's policy. */
export function locationPolicyName(location: string): string {
  return LOCATION_POLICY_PREFIX + location;
}

/** The location whose policy has this name; undefined when it is no location's. */
export function locationOfPolicy(name: string): string | undefined {
  return name.startsWith(LOCATION_POLICY_PREFIX) && name.length > LOCATION_POLICY_PREFIX.length
    ? name.slice(LOCATION_POLICY_PREFIX.length)
    : undefined;
}
