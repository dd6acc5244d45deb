import { createSecureContext } from 'node:tls';
import { Agent, ProxyAgent } from 'undici';
import type { Dispatcher } from 'undici';
import type { Identity } from '#kube/credentials.ts';
import type { Kubeconfig } from '#kube/kubeconfig.ts';

/** The connections to one API server under one identity: watches apart, so that they never take a request's place. */
export type Dispatchers = { requests: Dispatcher; watches: Dispatcher };

/**
 * Opens nothing yet: connections come with the first requests.
 * @throws {Error} when the certificates cannot be used, a key that does not belong to its certificate above all.
 */
export function makeDispatchers(config: Kubeconfig, identity: Identity, options: { connections: number }): Dispatchers {
  const tls = {
    ...(identity.ca !== undefined && { ca: identity.ca }),
    ...(identity.certificate !== undefined && { cert: identity.certificate }),
    ...(identity.key !== undefined && { key: identity.key }),
  };
  createSecureContext(tls);
  const connect = {
    ...tls,
    ...(config.tlsServerName !== undefined && { servername: config.tlsServerName }),
    rejectUnauthorized: !config.insecureSkipTlsVerify,
    timeout: CONNECT_MS,
  };
  const make = (connections: number | null) => {
    const common = { allowH2: false, pipelining: 1, connections, keepAliveTimeout: KEEP_ALIVE_MS, keepAliveMaxTimeout: KEEP_ALIVE_MS };
    if (config.proxyUrl === undefined) return new Agent({ ...common, connect });
    return new ProxyAgent({ ...common, uri: config.proxyUrl, requestTls: connect, connectTimeout: CONNECT_MS });
  };
  return { requests: make(options.connections), watches: make(null) };
}

/** TCP and TLS together. A frozen server accepts the first and never answers the second. */
const CONNECT_MS = 10_000;
/** Shorter than any API server's or load balancer's own, so that we are the ones who end an idle connection. */
const KEEP_ALIVE_MS = 25_000;
