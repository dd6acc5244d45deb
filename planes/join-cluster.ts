import { CLUSTER_GATEWAYS, CLUSTER_LOCATION } from '#api/keys.ts';
import { CLUSTERS_PATH } from '#planes/cluster-api.ts';
import { applyAll, hasCondition } from '#planes/manifests.ts';
import type { Plane } from '#planes/plane.ts';
import { waitUntil } from '#planes/wait.ts';

/** What a member is to Karmada. */
export type Membership = {
  /** It runs the edge proxy and gets the copies of every location. */
  gateways?: boolean;
  /** The location that it serves. */
  location?: string;
};

const NAMESPACE = 'karmada-cluster';

/**
 * Makes a plane a member of the hub's Karmada, with the labels by which policies choose, and waits until it is Ready: about 1 s.
 * Install every kind that is to be delivered on the member first: what was scheduled before is never tried again.
 */
export async function joinCluster(hub: Plane, member: Plane, membership: Membership = {}): Promise<void> {
  const { name } = member;
  await applyAll(hub, [
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name, namespace: NAMESPACE },
      stringData: { token: member.files.adminToken },
      data: { caBundle: member.files.caBundle },
    },
    {
      apiVersion: 'cluster.karmada.io/v1alpha1',
      kind: 'Cluster',
      metadata: { name, labels: clusterLabels(membership) },
      spec: { syncMode: 'Push', apiEndpoint: member.url, secretRef: { namespace: NAMESPACE, name } },
    },
  ]);
  const isReady = async () => hasCondition(await hub.admin.ask({ path: `${CLUSTERS_PATH}/${name}` }), 'Ready');
  await waitUntil(isReady, { what: `member "${name}" to be Ready on ${hub.name}`, more: () => hub.logTail('karmada-controller-manager') });
}

function clusterLabels({ gateways, location }: Membership): Record<string, string> {
  return {
    ...(gateways ? { [CLUSTER_GATEWAYS]: 'enabled' } : {}),
    ...(location === undefined ? {} : { [CLUSTER_LOCATION]: location }),
  };
}
