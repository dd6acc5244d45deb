import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createAuthority, createSigningKeys } from '#planes/certificates.ts';
import type { Authority, KeyPair } from '#planes/certificates.ts';
import { base64, writeKubeconfig } from '#planes/kubeconfig.ts';

/** The user as whom the service comes. Its rights are what is bound to this name, and nothing else. */
export const SERVICE_USER = 'fedhub';
/** The user as whom tests, Karmada and people at the terminal come. */
export const ADMIN_USER = 'admin';

/** Tokens of the service that are good from the start. The API server reads its token file once, so later ones must be in it already. */
const SERVICE_TOKENS = 50;

/** Keys, certificates, tokens and kubeconfigs of one plane, as files below its folder. */
export type PlaneFiles = {
  folder: string;
  authority: Authority;
  caFile: string;
  /** The authority's certificate, PEM in base64. */
  caBundle: string;
  server: { certificateFile: string; keyFile: string };
  /** What the API server shows to an aggregated one. */
  front: { certificateFile: string; keyFile: string };
  signing: { privateKeyFile: string; publicKeyFile: string };
  tokenFile: string;
  adminToken: string;
  /** Tokens of the service, the first of which is in its kubeconfig. */
  serviceTokens: string[];
  adminKubeconfig: string;
  serviceKubeconfig: string;
};

/** Writes everything that a plane needs before its programs start. */
export function writePlaneFiles(folder: string, plane: { name: string; url: string }): PlaneFiles {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const authority = createAuthority(`${plane.name} authority`);
  const caBundle = base64(authority.certificate);
  const adminToken = newToken();
  const serviceTokens = Array.from({ length: SERVICE_TOKENS }, newToken);
  const kubeconfig = (user: string, token: string) =>
    writeKubeconfig(join(folder, `${user}.kubeconfig`), { cluster: plane.name, url: plane.url, caBundle, user, credential: { token } });
  return {
    folder,
    authority,
    caFile: write(folder, 'ca.crt', authority.certificate),
    caBundle,
    server: writePair(folder, 'server', authority.issue({ commonName: plane.name, usage: 'server' })),
    front: writePair(folder, 'front', authority.issue({ commonName: 'front-proxy-client', usage: 'client' })),
    signing: writeSigningKeys(folder),
    tokenFile: write(folder, 'tokens.csv', tokenLines(adminToken, serviceTokens)),
    adminToken,
    serviceTokens,
    adminKubeconfig: kubeconfig(ADMIN_USER, adminToken),
    serviceKubeconfig: kubeconfig(SERVICE_USER, serviceTokens[0] ?? ''),
  };
}

function tokenLines(adminToken: string, serviceTokens: readonly string[]): string {
  const lines = serviceTokens.map((token) => `${token},${SERVICE_USER},${SERVICE_USER}`);
  return [`${adminToken},${ADMIN_USER},${ADMIN_USER},"system:masters"`, ...lines, ''].join('\n');
}

function newToken(): string {
  return randomBytes(24).toString('hex');
}

function writePair(folder: string, name: string, pair: KeyPair): { certificateFile: string; keyFile: string } {
  return { certificateFile: write(folder, `${name}.crt`, pair.certificate), keyFile: write(folder, `${name}.key`, pair.key) };
}

function writeSigningKeys(folder: string): { privateKeyFile: string; publicKeyFile: string } {
  const { privateKey, publicKey } = createSigningKeys();
  return { privateKeyFile: write(folder, 'sa.key', privateKey), publicKeyFile: write(folder, 'sa.pub', publicKey) };
}

function write(folder: string, name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text, { mode: 0o600 });
  return file;
}
