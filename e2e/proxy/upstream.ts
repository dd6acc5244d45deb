import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { once } from 'node:events';
import type { Exchange } from '#e2e/proxy/exchange.ts';

/** The API server behind the proxy. */
export type Upstream = { origin: URL; agent: HttpAgent };

/** Opens connections to an API server; `ca` is its authority in PEM, for https. Destroy the agent when done. */
export function connectUpstream(server: string, ca?: string): Upstream {
  const origin = new URL(server);
  const agent =
    origin.protocol === 'https:'
      ? new HttpsAgent({ keepAlive: true, ...(ca !== undefined && { ca }) })
      : new HttpAgent({ keepAlive: true });
  return { origin, agent };
}

/**
 * Sends the client's request on, as it is, and answers with the head of the server's answer.
 * The client's own credentials cross with it: the proxy has none. When the client goes, the request upstream goes too.
 *
 * @throws {Error} When the server cannot be reached.
 */
export async function ask({ seen, request, response, upstream }: Exchange): Promise<IncomingMessage> {
  const { origin, agent } = upstream;
  const send = origin.protocol === 'https:' ? httpsRequest : httpRequest;
  const query = seen.query.size > 0 ? `?${seen.query.toString()}` : '';
  const asked = send(new URL(origin), { agent, method: seen.method, path: seen.path + query, headers: crossing(request.headers) });
  const abandon = () => asked.destroy();
  response.once('close', abandon);
  // What fails later fails the body's iteration; without a listener it would end the process.
  asked.on('error', () => {});
  request.pipe(asked);
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  return answer;
}

/** Headers less those that belong to one connection. Bodies must arrive uncompressed, since faults look into them. */
export function crossing(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const { host, connection, 'keep-alive': keepAlive, 'accept-encoding': encoding, ...others } = headers;
  return others;
}
