import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { FaultProxy } from '#e2e/proxy/fault-proxy.ts';
import { FaultScript } from '#e2e/proxy/script.ts';

/** A proxy before a small HTTP server, for tests of the proxy itself. */
export type Rig = {
  proxy: FaultProxy;
  faults: FaultScript;
  /** One request on a connection of its own, which trusts the proxy's first authority. @throws {Error} When the connection breaks. */
  fetch(path: string, options?: { method?: string; body?: string; signal?: AbortSignal }): Promise<Answer>;
  close(): Promise<void>;
};

/** What a client got. */
export type Answer = { status: number; headers: Record<string, unknown>; body: string };

/** Starts both. */
export async function startRig(upstream: RequestListener): Promise<Rig> {
  const server = createServer(upstream);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const faults = new FaultScript();
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const proxy = await FaultProxy.start({ server: origin, faults });
  const { ca } = proxy;
  return {
    proxy,
    faults,
    fetch: (path, options = {}) => fetchOnce(proxy.url + path, { ...options, ca }),
    close: async () => {
      await proxy.close();
      server.closeAllConnections();
      server.close();
    },
  };
}

type FetchOptions = { method?: string; body?: string; signal?: AbortSignal; ca: string };

function fetchOnce(url: string, { body, ...options }: FetchOptions): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: 'Bearer of-the-client', connection: 'close' };
    const asked = request(url, { ...options, headers, agent: false }, (answer) => {
      const { statusCode: status = 0, headers } = answer;
      text(answer).then((received) => resolve({ status, headers, body: received }), reject);
    });
    asked.on('error', reject);
    asked.end(body);
  });
}
