import {
  LOCATION,
  SLICE_PROJECTION,
  SLICE_SOURCE_NAME,
  SOURCE_CLUSTER_UID,
  SOURCE_UID,
  UPSTREAM_CLUSTER_NAME,
  UPSTREAM_NAMESPACE,
} from '#api/keys.ts';
import type { EndpointSlice, KubeObject } from '#api/objects.ts';
import { crossing } from '#mirror/crossing-keys.ts';
import { labelled } from '#mirror/label-value.ts';
import { sliceCopyName } from '#writeback/slice-name.ts';

/** What a copy needs to know besides its source. */
export type SliceOrigin = {
  location: string;
  /** UID of the cell's `kube-system` namespace. */
  clusterUid: string;
  cluster: string;
  namespace: string;
  clusterInFull: string | undefined;
};

/**
 * The copy of a cell's slice (contract section 2, "The copy"): the source's body untouched, unknown newer fields included;
 * of its metadata only the labels and annotations that may cross. Nothing in it changes while the source does not.
 */
export function desiredSlice(source: EndpointSlice, origin: SliceOrigin): KubeObject {
  const { metadata, apiVersion: _apiVersion, kind: _kind, ...body } = source;
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      name: sliceCopyName(origin.location, metadata.name),
      ...(metadata.namespace !== undefined && { namespace: metadata.namespace }),
      ...marks(source, origin),
    },
    ...body,
  };
}

function marks({ metadata }: EndpointSlice, origin: SliceOrigin) {
  const computed = labelled({
    [UPSTREAM_CLUSTER_NAME]: origin.cluster,
    [UPSTREAM_NAMESPACE]: origin.namespace,
    [LOCATION]: origin.location,
    [SLICE_PROJECTION]: 'true',
  });
  return {
    labels: { ...crossing(metadata.labels), ...computed.labels },
    annotations: {
      ...crossing(metadata.annotations),
      ...computed.annotations,
      ...(origin.clusterInFull !== undefined && { [UPSTREAM_CLUSTER_NAME]: origin.clusterInFull }),
      [SLICE_SOURCE_NAME]: metadata.name,
      ...(metadata.uid !== undefined && { [SOURCE_UID]: metadata.uid }),
      [SOURCE_CLUSTER_UID]: origin.clusterUid,
    },
  };
}
