import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { KubeConfig } from '@kubernetes/client-node';
import { parse } from 'yaml';
import { TerminalError } from '#kube/errors.ts';
import { readExec } from '#kube/exec-config.ts';
import type { ExecConfig } from '#kube/exec-config.ts';
import { isRecord } from '#kube/objects.ts';

/** Something that stands in the kubeconfig itself, or in a file beside it. */
export type Material = { text: string } | { file: string };

/** What one context of a kubeconfig says about reaching its API server. Paths are absolute. */
export type Kubeconfig = {
  /** Without a slash at the end; may carry a path prefix. */
  server: string;
  ca?: Material | undefined;
  certificate?: Material | undefined;
  key?: Material | undefined;
  insecureSkipTlsVerify: boolean;
  tlsServerName?: string | undefined;
  proxyUrl?: string | undefined;
  token?: Material | undefined;
  exec?: ExecConfig | undefined;
  basic?: { username: string; password: string } | undefined;
  impersonate?: string | undefined;
};

/**
 * Reads a kubeconfig file.
 * @throws {TerminalError} `Kubeconfig`, naming the file and what is wrong with it.
 */
export async function readKubeconfig(file: string, context?: string): Promise<Kubeconfig> {
  const path = resolve(file);
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw unreadable(path, 'cannot be opened', error);
  });
  return parseKubeconfig(text, { file: path, context });
}

/**
 * Reads the text of a kubeconfig; relative paths in it are meant from its own folder.
 * @throws {TerminalError} `Kubeconfig`, naming the file and what is wrong with it.
 */
export function parseKubeconfig(text: string, options: { file: string; context?: string | undefined }): Kubeconfig {
  const config = load(text, options.file);
  const name = options.context ?? config.getCurrentContext();
  const context = config.getContextObject(name);
  if (context === null)
    throw unreadable(options.file, name === undefined || name === '' ? 'has no current context' : `has no context "${name}"`);
  const cluster = config.getCluster(context.cluster);
  if (cluster === null) throw unreadable(options.file, `has no cluster "${context.cluster}"`);
  if (!URL.canParse(cluster.server)) throw unreadable(options.file, `has no valid server for cluster "${cluster.name}"`);
  const user = context.user === undefined ? null : config.getUser(context.user);
  if (user === null && context.user !== undefined) throw unreadable(options.file, `has no user "${context.user}"`);
  if (user?.authProvider)
    throw unreadable(options.file, `uses an auth-provider for user "${user.name}", which kubectl has dropped too: use exec`);
  const at = (path: string | null | undefined) => (path ? resolve(dirname(options.file), path) : undefined);
  return {
    server: cluster.server,
    ca: material(cluster.caData, at(cluster.caFile)),
    certificate: material(user?.certData, at(user?.certFile)),
    key: material(user?.keyData, at(user?.keyFile)),
    insecureSkipTlsVerify: cluster.skipTLSVerify,
    tlsServerName: cluster.tlsServerName,
    proxyUrl: cluster.proxyUrl,
    token: tokenOf(user?.token, at(tokenFileOf(text, user?.name))),
    exec: user?.exec ? execOf(user.exec, options.file) : undefined,
    basic: user?.username ? { username: user.username, password: user.password ?? '' } : undefined,
    impersonate: user?.impersonateUser ?? undefined,
  };
}

function load(text: string, file: string): KubeConfig {
  const config = new KubeConfig();
  try {
    config.loadFromString(text);
  } catch (error) {
    // The parser's message may quote the text, which holds secrets.
    throw unreadable(file, 'is no kubeconfig', error instanceof Error ? error.name : undefined);
  }
  return config;
}

/** In-line wins over the file, as with kubectl; for a token it is the other way around. */
function material(base64: string | null | undefined, file: string | undefined): Material | undefined {
  if (base64) return { text: Buffer.from(base64, 'base64').toString('utf8') };
  return file === undefined ? undefined : { file };
}

function tokenOf(text: string | null | undefined, file: string | undefined): Material | undefined {
  if (file !== undefined) return { file };
  return text ? { text } : undefined;
}

/** The parser leaves `tokenFile` out. */
function tokenFileOf(text: string, userName: string | undefined): string | undefined {
  const root: unknown = parse(text);
  const users = isRecord(root) && Array.isArray(root['users']) ? root['users'].filter(isRecord) : [];
  const user = users.find(({ name }) => name === userName)?.['user'];
  const file = isRecord(user) ? user['tokenFile'] : undefined;
  return typeof file === 'string' ? file : undefined;
}

function execOf(exec: unknown, file: string): ExecConfig {
  const config = readExec(exec, dirname(file));
  if (typeof config === 'string') throw unreadable(file, config);
  return config;
}

function unreadable(file: string, fact: string, cause?: unknown): TerminalError {
  return new TerminalError('Kubeconfig', `Cannot read kubeconfig "${file}": it ${fact}`, cause);
}
