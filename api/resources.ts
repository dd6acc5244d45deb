/** Where a kind of object lives on an API server. */
export type Resource = {
  /** API group, `''` for the core group. */
  group: string;
  version: string;
  kind: string;
  /** Plural, lower case, as in the URL. */
  plural: string;
  namespaced: boolean;
};

/** Core namespaces. */
export const NAMESPACES: Resource = { group: '', version: 'v1', kind: 'Namespace', plural: 'namespaces', namespaced: false };

/** Endpoint slices: the only version that API servers of the last four years serve. */
export const ENDPOINT_SLICES: Resource = {
  group: 'discovery.k8s.io',
  version: 'v1',
  kind: 'EndpointSlice',
  plural: 'endpointslices',
  namespaced: true,
};

/** Serving locations, as delivered to a cell. Their version has no digit: always ask for it by name (see crds). */
export const SERVING_LOCATIONS: Resource = {
  group: 'networking.datumapis.com',
  version: 'v1alpha',
  kind: 'ServingLocation',
  plural: 'servinglocations',
  namespaced: false,
};

/** Locations, on the plane that they are declared on. */
export const LOCATIONS: Resource = {
  group: 'networking.datumapis.com',
  version: 'v1alpha',
  kind: 'Location',
  plural: 'locations',
  namespaced: false,
};

/** Karmada's policies that hold for the whole hub. */
export const CLUSTER_PROPAGATION_POLICIES: Resource = {
  group: 'policy.karmada.io',
  version: 'v1alpha1',
  kind: 'ClusterPropagationPolicy',
  plural: 'clusterpropagationpolicies',
  namespaced: false,
};

/** Karmada's members, on the hub; served by a CRD or by Karmada's aggregated API server. */
export const KARMADA_CLUSTERS: Resource = {
  group: 'cluster.karmada.io',
  version: 'v1alpha1',
  kind: 'Cluster',
  plural: 'clusters',
  namespaced: false,
};

/** What an operator must know of, told on the API server itself. */
export const EVENTS: Resource = { group: 'events.k8s.io', version: 'v1', kind: 'Event', plural: 'events', namespaced: true };

/** Our reports of cells, on the hub. */
export const CELL_REPORTS: Resource = {
  group: 'federation.datumapis.com',
  version: 'v1alpha1',
  kind: 'CellReport',
  plural: 'cellreports',
  namespaced: false,
};
