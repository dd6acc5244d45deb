/**
 * How the names of objects on the hub begin that are made from other names, with the whole form of each.
 * Other systems find objects by them (contract sections 1 to 4): never change one.
 */

/** Namespace `ns-<uid of the project's namespace>`. Written by the replicator; read by the write-back, whose cells have it under the same name. */
export const HUB_NAMESPACE_PREFIX = 'ns-';
/** EndpointSlice `vpc-<location>.<source name>`, past 238 characters cut and ended with `-` and 16 hex. Written by the write-back; read by gateways. */
export const SLICE_COPY_PREFIX = 'vpc-';
/** ClusterPropagationPolicy `location-<location>`. Written by the location publisher; read by Karmada. */
export const LOCATION_POLICY_PREFIX = 'location-';
/** Value of the upstream-cluster-name label, `cluster-<project with / as _>`. Written by us, never without a name after it; read by gateways. */
export const UPSTREAM_CLUSTER_PREFIX = 'cluster-';
