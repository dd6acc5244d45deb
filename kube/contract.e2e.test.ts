import { cp, rm } from 'node:fs/promises';
import type { KubeObject } from '#api/objects.ts';
import { NAMESPACES } from '#api/resources.ts';
import type { Client } from '#kube/client.ts';
import { listPages } from '#kube/list.ts';
import { openClient } from '#kube/open-client.ts';
import { contractOfCollections } from '#kube/testing/contract-collections.ts';
import { contractOfObjects } from '#kube/testing/contract-objects.ts';
import { contractOfOutages } from '#kube/testing/contract-outages.ts';
import type { ContractServer } from '#kube/testing/contract-server.ts';
import { signal } from '#kube/testing/contract-server.ts';
import { recordingLog } from '#kube/testing/scripted-client.ts';
import { startEnvironment } from '#planes/environment.ts';
import type { Environment } from '#planes/environment.ts';
import type { Plane } from '#planes/plane.ts';

// What kube/ relies on, held against a real kube-apiserver on a real etcd.
describe('a kube-apiserver', () => {
  let environment: Environment;
  let server: ContractServer;

  before(async () => {
    environment = await startEnvironment();
    server = await contractServer(await environment.startCell('cell-1'));
  });

  after(async () => {
    await Promise.all([server.client.transport.close(), server.stranger.transport.close()]);
    await environment.stop();
  });

  contractOfObjects(() => server);
  contractOfCollections(() => server);
  contractOfOutages(() => server);
});

async function contractServer(plane: Plane): Promise<ContractServer> {
  const open = (kubeconfig: string) => openClient({ cluster: plane.name, kubeconfig, log: recordingLog() });
  const client = await open(plane.adminKubeconfig);
  const kept = `${plane.storeFolder}.kept`;
  return {
    client,
    stranger: await open(plane.serviceKubeconfig),
    async forgetHistory() {
      const revision = await presentVersion(client);
      // The server's own memory of the past goes with the process, and the store's with the compaction.
      await plane.kill('kube-apiserver');
      await fetch(`${plane.storeUrl}/v3/kv/compaction`, { method: 'POST', body: JSON.stringify({ revision, physical: true }) });
      await plane.start();
    },
    goAway: () => plane.stop(),
    comeBack: () => plane.start(),
    async keepData() {
      await plane.stop();
      await cp(plane.storeFolder, kept, { recursive: true });
      await plane.start();
    },
    async goBack() {
      await plane.stop();
      await rm(plane.storeFolder, { recursive: true });
      await cp(kept, plane.storeFolder, { recursive: true });
      await plane.start();
    },
    freeze: () => plane.pause(),
    thaw: () => plane.resume(),
  };
}

async function presentVersion(client: Client): Promise<string> {
  for await (const { resourceVersion } of listPages<KubeObject>(client, { resource: NAMESPACES, limit: 1, signal })) return resourceVersion;
  throw new Error('Cannot read the present version');
}
