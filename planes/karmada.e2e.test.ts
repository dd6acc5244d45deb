/** Karmada on the hub carries an object to its members and takes it back, with either way of serving its Cluster API. */
import assert from 'node:assert/strict';
import { CLUSTER_GATEWAYS, CLUSTER_LOCATION } from '#api/keys.ts';
import { CLUSTERS_PATH } from '#planes/cluster-api.ts';
import { startEnvironment } from '#planes/environment.ts';
import type { Environment } from '#planes/environment.ts';
import { joinCluster } from '#planes/join-cluster.ts';
import { applyAll } from '#planes/manifests.ts';
import type { Plane } from '#planes/plane.ts';
import { waitUntil } from '#planes/wait.ts';

const SLICE = '/apis/discovery.k8s.io/v1/namespaces/carried/endpointslices/slice';
const LABELS = { carry: 'yes' };

for (const aggregated of [false, true]) {
  describe(`Karmada with ${aggregated ? 'its aggregated' : 'a plain'} Cluster API`, () => {
    let environment: Environment;
    let hub: Plane;
    let gateway: Plane;

    before(async () => {
      environment = await startEnvironment({ karmada: true, aggregated });
      [hub, gateway] = await Promise.all([environment.startHub(), environment.startCell('gateway')]);
      await joinCluster(hub, gateway, { gateways: true, location: 'here' });
    });

    after(() => environment.stop());

    it('has the member with the labels by which policies choose', async () => {
      const { metadata } = (await hub.admin.ask({ path: `${CLUSTERS_PATH}/gateway` })) as { metadata: { labels: object } };
      assert.deepEqual(metadata.labels, { [CLUSTER_GATEWAYS]: 'enabled', [CLUSTER_LOCATION]: 'here' });
    });

    it('serves its Cluster API as it was asked to', () => {
      assert.equal(hub.logTail('karmada-aggregated-apiserver') !== '', aggregated);
    });

    it('carries a slice to the gateway, and takes it back when it is deleted', async () => {
      await applyAll(hub, [policy(), namespace(), slice()]);
      await waitUntil(async () => (await gateway.admin.status(SLICE)) === 200, { what: 'the slice on the gateway' });
      await hub.admin.ask({ method: 'DELETE', path: SLICE });
      await waitUntil(async () => (await gateway.admin.status(SLICE)) === 404, { what: 'the slice to leave the gateway' });
    });
  });
}

function policy() {
  const selector = (apiVersion: string, kind: string) => ({ apiVersion, kind, labelSelector: { matchLabels: LABELS } });
  return {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'ClusterPropagationPolicy',
    metadata: { name: 'carry' },
    spec: {
      resourceSelectors: [selector('v1', 'Namespace'), selector('discovery.k8s.io/v1', 'EndpointSlice')],
      placement: { clusterAffinity: { labelSelector: { matchLabels: { [CLUSTER_GATEWAYS]: 'enabled' } } } },
    },
  };
}

function namespace() {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'carried', labels: LABELS } };
}

function slice() {
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name: 'slice', namespace: 'carried', labels: LABELS },
    addressType: 'IPv6',
    endpoints: [{ addresses: ['fd00::1'], conditions: { ready: true } }],
  };
}
