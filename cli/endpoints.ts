import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Registry } from '@prometheus-io/client';
import type { ListenAddress } from '#cli/listen-address.ts';
import { formatListenAddress } from '#cli/listen-address.ts';
import { judgeReadiness } from '#cli/readiness.ts';
import type { Standing } from '#cli/readiness.ts';
import { TerminalError } from '#kube/errors.ts';

/** The endpoints under way. */
export type Endpoints = {
  /** The real address, `127.0.0.1:41234`, also where port 0 was asked for. */
  address: string;
  /** Ends the server and every connection to it. */
  close(): Promise<void>;
};

/** What the endpoints show. `standing` is asked anew for every request. */
export type EndpointOptions = { address: ListenAddress; registry: Registry; standing: () => Standing };

/**
 * Serves `/healthz` (the process answers), `/readyz` (the hub has been observed; 503 with reasons until then), `/status` (JSON) and
 * `/metrics`. All of it is read-only and without secrets; none of it asks who is calling.
 * @throws {TerminalError} `CannotListen` when the address cannot be had.
 */
export async function startEndpoints(options: EndpointOptions): Promise<Endpoints> {
  const server = createServer((request, response) => {
    respond(request, options).then(
      (answer) => send(response, answer),
      () => send(response, { status: 500, type: TEXT, body: 'failed\n' }),
    );
  });
  await listen(server, options.address);
  return {
    address: addressOf(server),
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

type Answer = { status: number; type: string; body: string };

const TEXT = 'text/plain; charset=utf-8';

async function respond({ method, url }: IncomingMessage, { registry, standing }: EndpointOptions): Promise<Answer> {
  if (method !== 'GET' && method !== 'HEAD') return { status: 405, type: TEXT, body: 'only GET and HEAD\n' };
  switch (new URL(url ?? '/', 'http://any').pathname) {
    case '/healthz':
      return { status: 200, type: TEXT, body: 'alive\n' };
    case '/readyz':
      return { type: TEXT, ...judgeReadiness(standing()) };
    case '/status':
      return { status: 200, type: 'application/json', body: `${JSON.stringify(standing())}\n` };
    case '/metrics':
      return { status: 200, type: registry.contentType, body: await registry.metrics() };
    default:
      return { status: 404, type: TEXT, body: 'there are /healthz, /readyz, /status and /metrics\n' };
  }
}

function send(response: ServerResponse, { status, type, body }: Answer) {
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
  response.end(body);
}

async function listen(server: Server, { host, port }: ListenAddress) {
  try {
    server.listen({ host, port });
    await once(server, 'listening');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    throw new TerminalError('CannotListen', `Cannot listen on ${formatListenAddress({ host, port })}: ${code}`, error);
  }
}

function addressOf(server: Server): string {
  const bound = server.address();
  return typeof bound === 'object' && bound !== null ? formatListenAddress({ host: bound.address, port: bound.port }) : String(bound);
}
