import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { cross } from '#e2e/proxy/cross.ts';
import type { Exchange } from '#e2e/proxy/exchange.ts';
import type { FaultSource, SeenRequest } from '#e2e/proxy/fault.ts';
import { FrontDoor } from '#e2e/proxy/front-door.ts';
import { RequestLog } from '#e2e/proxy/requests.ts';
import { matchesRequest } from '#e2e/proxy/script.ts';
import type { RequestMatch } from '#e2e/proxy/script.ts';
import { spoil } from '#e2e/proxy/spoil.ts';
import { connectUpstream } from '#e2e/proxy/upstream.ts';
import type { Upstream } from '#e2e/proxy/upstream.ts';
import { type Authority, createAuthority } from '#planes/certificates.ts';

/** What a proxy needs: the server it stands for (with its authority in PEM, for https), and what goes wrong. */
export type FaultProxyOptions = { server: string; ca?: string; faults: FaultSource };

/**
 * A reverse proxy between the service and one API server that fails on demand.
 * It ends TLS with a certificate of its own, so the client's kubeconfig names `url` and trusts `ca`; the client's token
 * crosses to the server, which decides about it.
 */
export class FaultProxy {
  readonly requests = new RequestLog();
  readonly #faults: FaultSource;
  readonly #upstream: Upstream;
  readonly #inner: Server;
  readonly #ownAuthority = newAuthority();
  #authority = this.#ownAuthority;
  readonly #underWay = new Set<Exchange>();
  #door: FrontDoor | undefined;
  #url = '';

  private constructor({ server, ca, faults }: FaultProxyOptions) {
    this.#faults = faults;
    this.#upstream = connectUpstream(server, ca);
    this.#inner = createServer(this.#issue(), (request, response) => void this.#take(request, response));
    // A real API server keeps idle connections for minutes; ending them here would be a fault that nobody asked for.
    Object.assign(this.#inner, { keepAliveTimeout: 0, headersTimeout: 0, requestTimeout: 0 });
  }

  /** Starts a proxy on a free port of 127.0.0.1. */
  static async start(options: FaultProxyOptions): Promise<FaultProxy> {
    const proxy = new FaultProxy(options);
    await new Promise<void>((resolve) => proxy.#inner.listen(0, '127.0.0.1', resolve));
    proxy.#door = new FrontDoor((proxy.#inner.address() as AddressInfo).port);
    proxy.#url = `https://127.0.0.1:${await proxy.#door.listen()}`;
    return proxy;
  }

  /** Where the client finds it. */
  get url(): string {
    return this.#url;
  }

  /** Authority of the certificate that it shows, in PEM. */
  get ca(): string {
    return this.#authority.certificate;
  }

  /** Connections that cross right now. */
  get connections(): number {
    return this.#door?.open ?? 0;
  }

  /** Requests under way that match. */
  underWay(match: RequestMatch = {}): number {
    return [...this.#underWay].filter(({ seen }) => matchesRequest(match, seen)).length;
  }

  /** Connections that have been swallowed so far. */
  get silent(): number {
    return this.#door?.silent ?? 0;
  }

  /** Ends every connection with a reset, or those whose request matches; new ones are welcome. */
  cut(match?: RequestMatch): void {
    if (match === undefined) return this.#door?.cut();
    for (const { seen, reset } of this.#underWay) if (matchesRequest(match, seen)) reset();
  }

  /** Ends every connection, and resets each new one until `heal`. */
  refuse(): void {
    this.#door?.setMode('refuse');
    this.cut();
  }

  /** Lets every connection, and each new one until `heal`, fall silent without an end. */
  blackHole(): void {
    this.#door?.setMode('swallow');
    this.swallow();
  }

  /** Lets every connection fall silent without an end; new ones are welcome. */
  swallow(): void {
    this.#door?.swallow();
  }

  /** Ends every connection, and shows each new one another authority's certificate until `heal`. */
  changeAuthority(): void {
    this.#show(newAuthority());
    this.cut();
  }

  /** Lets new connections cross again, and shows them a new certificate of the first authority. Those that fell silent stay so for good. */
  heal(): void {
    this.#door?.setMode('open');
    this.#show(this.#ownAuthority);
  }

  /** Ends the proxy and all its connections. */
  async close(): Promise<void> {
    await this.#door?.close();
    this.#upstream.agent.destroy();
    this.#inner.closeAllConnections();
    await new Promise((resolve) => this.#inner.close(resolve));
  }

  #show(authority: Authority): void {
    this.#authority = authority;
    this.#inner.setSecureContext(this.#issue());
  }

  #issue(): { cert: string; key: string } {
    const { certificate: cert, key } = this.#authority.issue({ commonName: 'fault-proxy', usage: 'server' });
    return { cert, key };
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const seen = see(request);
    this.requests.add(seen);
    const port = request.socket.remotePort;
    const reset = () => this.#door?.cut(port);
    const exchange = { seen, request, response, upstream: this.#upstream, faults: this.#faults, reset };
    this.#underWay.add(exchange);
    response.once('close', () => this.#underWay.delete(exchange));
    const fault = this.#faults.onRequest(seen);
    // Whatever breaks off upstream breaks off here too: an error page of the proxy's would be one more thing to tell apart.
    await (fault ? spoil(exchange, fault) : cross(exchange)).catch(reset);
  }
}

/** Named otherwise than what it issues: a certificate whose subject and issuer are one passes for self-signed. */
function newAuthority(): Authority {
  return createAuthority('fault-proxy-authority');
}

function see(request: IncomingMessage): SeenRequest {
  const url = new URL(request.url ?? '/', 'https://127.0.0.1');
  const watch = ['1', 'true'].includes(url.searchParams.get('watch') ?? '');
  const token = request.headers.authorization?.replace(/^Bearer /, '');
  return { method: request.method ?? 'GET', path: url.pathname, query: url.searchParams, watch, token };
}
