import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { FaultProxy } from '#e2e/proxy/fault-proxy.ts';
import { FaultScript } from '#e2e/proxy/script.ts';
import { base64, type Credential, writeKubeconfig } from '#planes/kubeconfig.ts';
import { SERVICE_USER } from '#planes/plane-files.ts';
import type { Plane } from '#planes/plane.ts';

/** A plane, and what the service's requests to it pass through. */
export type Proxied = {
  plane: Plane;
  proxy: FaultProxy;
  faults: FaultScript;
  /** Of the service's user, by way of the proxy. */
  kubeconfig: string;
  /** Writes that kubeconfig anew, with another credential of the service's user, and puts it in place in one step. */
  giveCredential(credential: Credential): void;
};

/** Starts a proxy before a plane and writes the service's kubeconfig for it. */
export async function startProxied(plane: Plane, folder: string): Promise<Proxied> {
  const faults = new FaultScript();
  const proxy = await FaultProxy.start({ server: plane.url, ca: plane.files.authority.certificate, faults });
  const kubeconfig = join(folder, `${plane.name}.kubeconfig`);
  const giveCredential = (credential: Credential) => {
    const content = { cluster: plane.name, url: proxy.url, caBundle: base64(proxy.ca), user: SERVICE_USER, credential };
    renameSync(writeKubeconfig(`${kubeconfig}.new`, content), kubeconfig);
  };
  giveCredential({ token: plane.files.serviceTokens[0] ?? '' });
  return { plane, proxy, faults, kubeconfig, giveCredential };
}
