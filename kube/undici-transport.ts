import type { Dispatcher } from 'undici';
import type { Connection, Link } from '#kube/connection.ts';
import { ApiError, isApiError, NotSentError, TerminalError } from '#kube/errors.ts';
import { isLostConnection, transportError, wasNeverSent } from '#kube/transport-error.ts';
import type { ApiRequest, ApiResponse, Transport } from '#kube/transport.ts';
import { unlessUnwanted } from '#kube/unless-unwanted.ts';

/** What the transport needs of a connection. */
type ConnectionPart = Pick<Connection, 'link' | 'renew' | 'distrust' | 'close'>;

/** The transport to a real API server: HTTP/1.1, kept-alive connections, credentials as they are at the moment. */
export class UndiciTransport implements Transport {
  readonly #connection: ConnectionPart;
  #closed = false;

  constructor(connection: ConnectionPart) {
    this.#connection = connection;
  }

  /**
   * After a 401 the credentials are read again, and the request is sent once more if they changed.
   * @throws {ApiError} `Unreachable`, `Timeout`, or `Unauthorized` when there are no credentials to send; {NotSentError}. Rejects with the signal's reason.
   */
  async send(request: ApiRequest): Promise<ApiResponse> {
    const [link, response] = await this.#exchange(request);
    if (response.statusCode !== 401 || !(await this.#connection.renew(link))) return this.#answer(link, response, request);
    await response.body.dump();
    const [next, second] = await this.#exchange(request);
    return this.#answer(next, second, request);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#connection.close();
  }

  async #exchange(request: ApiRequest): Promise<[Link, Dispatcher.ResponseData]> {
    const link = await this.#link();
    try {
      return [link, await exchange(link, request)];
    } catch (error) {
      this.#heedSilence(link, error);
      if (!wasNeverSent(error)) throw error;
    }
    const next = await this.#link();
    return [next, await exchange(next, request)];
  }

  #answer(link: Link, response: Dispatcher.ResponseData, request: ApiRequest): ApiResponse {
    return answerOf(response, request, (error) => this.#heedSilence(link, error));
  }

  /** A connection that fell silent is not alone: what stands between here and the server has forgotten the others too. */
  #heedSilence(link: Link, error: unknown): void {
    if (isApiError(error, 'Timeout')) this.#connection.distrust(link);
  }

  async #link(): Promise<Link> {
    if (this.#closed) throw new ApiError('Unreachable', 'connection closed');
    try {
      return await this.#connection.link();
    } catch (error) {
      if (error instanceof TerminalError) throw error;
      throw new ApiError('Unauthorized', `no credentials: ${error instanceof Error ? error.message : 'unknown'}`, { cause: error });
    }
  }
}

/**
 * A GET is sent once more when its connection was lost before the answer: the server may have closed an idle connection at the moment
 * when it was used again. Nothing else is repeated here: whether a write was made is for the caller to find out.
 */
async function exchange(link: Link, request: ApiRequest): Promise<Dispatcher.ResponseData> {
  try {
    return await dispatch(link, request);
  } catch (error) {
    if (request.signal.aborted) throw request.signal.reason;
    if (error instanceof NotSentError) throw error;
    if (request.method !== 'GET' || !isLostConnection(error)) throw transportError(error, request);
  }
  try {
    return await dispatch(link, request);
  } catch (error) {
    throw request.signal.aborted ? request.signal.reason : transportError(error, request);
  }
}

function dispatch(link: Link, request: ApiRequest): Promise<Dispatcher.ResponseData> {
  const { method, path, query, body, contentType, signal, idleMs, stillWanted } = request;
  const dispatcher = query?.['watch'] === undefined ? link.requests : link.watches;
  return (stillWanted ? dispatcher.compose(unlessUnwanted(stillWanted)) : dispatcher).request({
    origin: link.origin,
    path: link.pathPrefix + path,
    method,
    ...(query && { query }),
    ...(body !== undefined && { body }),
    headers: {
      ...link.headers,
      accept: 'application/json',
      'user-agent': 'fedhub',
      ...(contentType !== undefined && { 'content-type': contentType }),
    },
    signal,
    headersTimeout: idleMs,
    bodyTimeout: idleMs,
  });
}

function answerOf(response: Dispatcher.ResponseData, request: ApiRequest, failed: (error: unknown) => void): ApiResponse {
  // An abort between two reads ends the body with an error that nobody may be waiting for at that moment.
  response.body.on('error', () => {});
  const headers = Object.fromEntries(
    Object.entries(response.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]),
  );
  return { status: response.statusCode, headers, body: chunksOf(response, request, failed) };
}

async function* chunksOf(
  response: Dispatcher.ResponseData,
  request: ApiRequest,
  failed: (error: unknown) => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    for await (const chunk of response.body) yield chunk;
  } catch (error) {
    const reason: unknown = request.signal.aborted ? request.signal.reason : transportError(error, request);
    failed(reason);
    throw reason;
  }
}
