/**
 * Every label and annotation key that this project reads or writes, with who writes it and who reads it.
 * The values are part of the contract with other systems (contract section 1): never rename one.
 */

/** Label. `cluster-` + project name with `/` as `_`. Written by us on hub namespaces and copies; read by gateways and policies. */
export const UPSTREAM_CLUSTER_NAME = 'meta.datumapis.com/upstream-cluster-name';
/** Label. The namespace's name in the project plane. Written by us on hub namespaces and copies; read by gateways and policies. */
export const UPSTREAM_NAMESPACE = 'meta.datumapis.com/upstream-namespace';
/** Label. API group of the source. Written by the replicator on its copies; read by the sweep. */
export const UPSTREAM_GROUP = 'meta.datumapis.com/upstream-group';
/** Label. Kind of the source. Written by the replicator on its copies; read by the sweep. */
export const UPSTREAM_KIND = 'meta.datumapis.com/upstream-kind';
/** Label. Name of the source. Written by the replicator on its copies; read by the sweep. */
export const UPSTREAM_NAME = 'meta.datumapis.com/upstream-name';

/** Label. Location name. Written by us on every copy of one location; read by policies and by the sweep. */
export const LOCATION = 'networking.datumapis.com/location';
/** Label. Network name. Written by the project on NetworkContext and Subnet; carried by the replicator; read by controllers in the cell. */
export const NETWORK = 'networking.datumapis.com/network';

/** Label, value `"true"`. Written by us on every copy of a slice; read by us: the one test for "is this ours". */
export const SLICE_PROJECTION = 'networking.datumapis.com/vpc-endpointslice-projection';
/** Annotation (a name outgrows a label). The source slice's name. Written by us; read by the sweep. */
export const SLICE_SOURCE_NAME = 'networking.datumapis.com/vpc-endpointslice-source-name';

/** Label and annotation. `<vpc>-<vpcAttachment>`. Written by the pod producer in the cell; read by the edge. */
export const TENANT_ID = 'galactic.datum.net/tenant-id';
/** Annotation. The pod's SRv6 SID. Written by the pod producer; read by the edge. Nothing here parses it. */
export const SRV6_SID = 'galactic.datum.net/srv6-sid';

/** Annotation. UID of the source object. Written by us on every copy; read by the sweep and by operators. */
export const SOURCE_UID = 'federation.datumapis.com/source-uid';
/** Annotation. UID of the `kube-system` namespace of the source's cluster. Written by us; read before every withdrawal. */
export const SOURCE_CLUSTER_UID = 'federation.datumapis.com/source-cluster-uid';

/** Label, value `"true"`. Written by Karmada on what it delivers; read by us to know a returned copy. */
export const KARMADA_MANAGED = 'karmada.io/managed';
/** Label on a Karmada Cluster: the location it serves. Written by the operator; read by generated policies. */
export const CLUSTER_LOCATION = 'topology.datum.net/location';
/** Label on a Karmada Cluster, value `enabled`: it is a gateway cluster. Written by the operator; read by the gateway policy. */
export const CLUSTER_GATEWAYS = 'infra.datum.net/gateways';

/** Label, value `"true"`. Written by us on every copy of a network interface; read by the sweep. */
export const INTERFACE_PROJECTION = 'networking.datumapis.com/network-interface-projection';
/** Label. The source interface's namespace. Written by us on its copy; read by the sweep. */
export const INTERFACE_SOURCE_NAMESPACE = 'networking.datumapis.com/source-namespace';
/** Label. The claim that holds the interface. Written by us on its copy, while held; read by whoever looks for a claim's interface. */
export const INTERFACE_HELD_BY = 'networking.datumapis.com/held-by';

/** Label, value `location-publisher`. Written by us on the hub's serving locations and generated policies; read by us: the one test for "is this ours". */
export const PUBLISHED_BY = 'networking.datumapis.com/published-by';
/** Value of `PUBLISHED_BY` on everything that the location publisher keeps. */
export const LOCATION_PUBLISHER = 'location-publisher';
/** Key of a location's topology. Without a value under it a location is not published. Written by whoever declares the location; read by the location publisher. */
export const CITY_CODE = 'topology.datum.net/city-code';
/** Annotation, `<reason>: <message>`. Written by us on a serving location whose removal is blocked; read by operators. */
export const REMOVAL_BLOCKED = 'networking.datumapis.com/removal-blocked';
/** Annotation, value `"true"`. Written by an operator on a serving location that is to go whatever the clusters say; read by the location publisher. */
export const REMOVAL_OVERRIDE = 'networking.datumapis.com/removal-override';

/** Annotation on a CellReport. `status.frozen.set` of the set that may be withdrawn. Written by an operator; read by the write-back. */
export const APPROVE_FROZEN = 'federation.datumapis.com/approve-frozen';
/** Annotation on a CellReport, value `"true"`. A frozen set is not released by time. Written by an operator; read by the write-back. */
export const HOLD_FROZEN = 'federation.datumapis.com/hold-frozen';
