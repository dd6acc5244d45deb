import { writeFileSync } from 'node:fs';
import type { KeyPair } from '#planes/certificates.ts';

/** How a user proves who it is: a token, a file that holds one and may be rewritten, or a client certificate. */
export type Credential = { token: string } | { tokenFile: string } | KeyPair;

/** What a kubeconfig says. */
export type KubeconfigContent = { cluster: string; url: string; caBundle: string; user: string; credential: Credential };

/** Writes a kubeconfig with one cluster and one user, readable by its owner only, and returns the file. JSON is YAML. */
export function writeKubeconfig(file: string, { cluster, url, caBundle, user, credential }: KubeconfigContent): string {
  const content = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: cluster, cluster: { server: url, 'certificate-authority-data': caBundle } }],
    users: [{ name: user, user: credentialFields(credential) }],
    contexts: [{ name: cluster, context: { cluster, user } }],
    'current-context': cluster,
  };
  writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  return file;
}

function credentialFields(credential: Credential): Record<string, string> {
  if (!('certificate' in credential)) return credential;
  return { 'client-certificate-data': base64(credential.certificate), 'client-key-data': base64(credential.key) };
}

/** PEM as kubeconfigs and webhook configurations carry it. */
export function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
