import { createServer } from 'node:http';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { once } from 'node:events';

/** A real HTTP server on this machine that answers as a test says, for what no API server can be made to do. */
export type HttpServer = {
  url: string;
  /** What was asked, in order. */
  requests: IncomingMessage[];
  /** Says what the server does with every request from now on. */
  answer(listener: (request: IncomingMessage, response: ServerResponse) => void): void;
  stop(): Promise<void>;
};

/** Starts the server on a free port. Until told otherwise it answers nothing. */
export async function startHttpServer(): Promise<HttpServer> {
  const requests: IncomingMessage[] = [];
  let listener: RequestListener = () => {};
  const server = createServer((request, response) => {
    requests.push(request);
    listener(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    requests,
    answer: (next) => {
      listener = next;
    },
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function portOf(server: Server): number {
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the server has no port');
  return address.port;
}
