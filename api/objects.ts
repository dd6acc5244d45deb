/**
 * The shapes of the objects that we touch, as far as we touch them.
 * Every type is open (`[field: string]: unknown`): what a newer API server adds must survive the crossing untouched.
 */

/** Metadata of any object, as an API server sends it. */
export type ObjectMeta = {
  name: string;
  namespace?: string;
  uid?: string;
  resourceVersion?: string;
  generation?: number;
  creationTimestamp?: string | null;
  deletionTimestamp?: string;
  finalizers?: string[];
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  ownerReferences?: unknown[];
  managedFields?: ManagedFields[];
};

/** One entry of `metadata.managedFields`: who owns which fields, and by which verb. */
export type ManagedFields = {
  manager?: string;
  operation?: 'Apply' | 'Update';
  subresource?: string;
  fieldsV1?: FieldSet;
};

/** A field set as the API server writes it: `f:<name>` keys, `.` for the field itself. */
export type FieldSet = { [field: string]: FieldSet };

/** Any Kubernetes object. */
export type KubeObject = {
  apiVersion?: string;
  kind?: string;
  metadata: ObjectMeta;
  [field: string]: unknown;
};

/** `discovery.k8s.io/v1` EndpointSlice. Endpoints and ports are carried, never interpreted, hence `unknown`. */
export type EndpointSlice = KubeObject & {
  addressType: string;
  endpoints?: unknown[] | null;
  ports?: unknown[] | null;
};

/** `v1` Namespace, of which only the metadata matters here. */
export type Namespace = KubeObject;

/** `networking.datumapis.com/v1alpha` ServingLocation: its name is the location's name. */
export type ServingLocation = KubeObject;

/** `federation.datumapis.com/v1alpha1` CellReport. `config/crd/cell-report.yaml` says what each field means. */
export type CellReport = KubeObject & { spec?: { clusterUID?: string }; status?: CellReportStatus };

/** What a CellReport says of its cell. Times are RFC 3339 in UTC, to the second. */
export type CellReportStatus = {
  observedGeneration?: number;
  renewTime?: string;
  lastContactTime?: string;
  observedClusterUID?: string;
  boundClusterUIDs?: string[];
  observedVersion?: { clusterUID: string; resourceVersion: string };
  location?: { name: string; from: 'delivered' | 'configured'; overruled?: string };
  lastCompleteObservation?: string;
  backlog: number;
  sources: number;
  copies: number;
  withdrawn: number;
  waiting: number;
  refused: number;
  kept: number;
  held: { state: 'Waiting' | 'Refused' | 'Kept'; reason: string; count: number }[];
  frozen?: { set: string; count: number; released: number; since: string; confirmed: number; first: string[] };
  conditions: Condition[];
  announced?: Announced[];
};

/** A condition in Kubernetes' conventions. */
export type Condition = {
  type: string;
  status: 'True' | 'False' | 'Unknown';
  reason: string;
  message: string;
  lastTransitionTime: string;
  observedGeneration?: number;
};

/** The Event that was last made of a condition. */
export type Announced = { condition: string; type: 'Normal' | 'Warning'; reason: string; message: string; time: string };
