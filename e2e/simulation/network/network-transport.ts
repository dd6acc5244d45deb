import { ApiError } from '#kube/errors.ts';
import type { ApiRequest, ApiResponse, Transport } from '#kube/transport.ts';
import { refusal, statusOf, text } from '#e2e/simulation/model/answers.ts';
import { silence } from '#e2e/simulation/model/silence.ts';
import type { Link } from '#e2e/simulation/network/link.ts';
import { emptied, faultyWatch } from '#e2e/simulation/network/spoil.ts';
import type { RequestFault } from '#e2e/simulation/network/weather.ts';
import type { Timers } from '#e2e/simulation/timers.ts';

/** What a server is sent besides the request: when that left the client. */
export type Deliver = (request: ApiRequest, sentMs: number) => Promise<ApiResponse>;

/** What a network transport is made of. `mayLie`: whether a list of nothing may be the answer to this request. */
export type NetworkOptions = { link: Link; timers: Timers; deliver: Deliver; mayLie: (request: ApiRequest) => boolean };

const NEVER = new AbortController().signal;
/** Answers that a server gives in place of its own. */
const REFUSALS: Partial<Record<RequestFault, () => ApiResponse>> = {
  unauthorized: () => refusal(401, 'Unauthorized'),
  forbidden: () => refusal(403, 'Forbidden'),
  notServed: () => text('404 page not found\n', 404),
  expired: () => refusal(410, 'Expired'),
  throttled: () => refusal(429, 'TooManyRequests', { headers: { 'retry-after': '2' } }),
  serverError: () => refusal(500, 'InternalError'),
  unavailable: () => refusal(503, 'ServiceUnavailable'),
  html: () => text('<html><body>Please sign in</body></html>'),
  malformed: () => text('{"kind":"EndpointSlice","metadata":{"na'),
};

/** The network between the service and one server: each way takes its time, and the weather decides what else happens. */
export class NetworkTransport implements Transport {
  readonly #options: NetworkOptions;
  #closed = false;

  constructor(options: NetworkOptions) {
    this.#options = options;
  }

  async send(request: ApiRequest): Promise<ApiResponse> {
    if (this.#closed) throw new ApiError('Unreachable', 'connection closed');
    request.signal.throwIfAborted();
    const { link, timers, mayLie } = this.#options;
    const fault = link.drawRequestFault((each) => makesSense(each, request) && (each !== 'emptyList' || mayLie(request)));
    if (fault === 'refuse') throw new ApiError('Unreachable', 'connection refused');
    if (fault === 'hang') return silence(request, timers);
    const sentMs = timers.monotonicMs();
    if (fault === 'late') return this.#arriveLate(request, sentMs);
    await timers.sleep(fault === 'delay' ? link.random.integer(500, 20_000) : link.random.integer(1, 15), request.signal);
    if (request.signal.aborted) return this.#giveUp(request, sentMs);
    const refused = fault && REFUSALS[fault];
    return refused ? refused() : this.#cross(request, { fault, sentMs });
  }

  async close(): Promise<void> {
    this.#closed = true;
  }

  /** A client that gives up does not know whether its request had left. */
  async #giveUp(request: ApiRequest, sentMs: number): Promise<never> {
    if (request.method !== 'GET' && this.#options.link.random.chance(0.5))
      await this.#options.deliver({ ...request, signal: NEVER }, sentMs);
    throw request.signal.reason;
  }

  #arriveLate(request: ApiRequest, sentMs: number): Promise<never> {
    const { link, timers, deliver } = this.#options;
    // Past the deadline of who waits, and before a schedule takes its state for steady.
    timers.after(link.random.integer(1_000, 35_000), () => void deliver({ ...request, signal: NEVER }, sentMs));
    return silence(request, timers);
  }

  async #cross(request: ApiRequest, { fault, sentMs }: { fault: RequestFault | undefined; sentMs: number }): Promise<ApiResponse> {
    const { link, timers, deliver } = this.#options;
    if (isWatch(request)) return this.#watch(request, sentMs);
    const response = await deliver({ ...request, signal: NEVER }, sentMs);
    await timers.sleep(link.random.integer(1, 15), request.signal);
    request.signal.throwIfAborted();
    if (fault === 'cut') return { ...response, body: cutShort(response.body) };
    return fault === 'emptyList' ? emptied(response) : response;
  }

  async #watch(request: ApiRequest, sentMs: number): Promise<ApiResponse> {
    const { link, timers, deliver, mayLie } = this.#options;
    const streamed = request.query?.['sendInitialEvents'] === 'true';
    const makesSenseHere = (fault: string) => (streamed || !STREAMED_ONLY.has(fault)) && (fault !== 'emptyStream' || mayLie(request));
    const fault = link.drawWatchFault(makesSenseHere);
    if (fault === 'errorEvent') return text(`${JSON.stringify({ type: 'ERROR', object: statusOf(410, 'Expired') })}\n`);
    const response = await deliver(request, sentMs);
    return { ...response, body: faultyWatch(response.body, { fault, request, link, timers }) };
  }
}

const STREAMED_ONLY = new Set(['noEndBookmark', 'emptyStream']);

function makesSense(fault: RequestFault, request: ApiRequest): boolean {
  if (fault === 'late') return request.method !== 'GET';
  if (fault === 'emptyList' || fault === 'expired') return isCollection(request) && !isWatch(request);
  return fault !== 'cut' || !isWatch(request);
}

function isWatch({ query }: ApiRequest): boolean {
  return query?.['watch'] === '1';
}

function isCollection({ method, query }: ApiRequest): boolean {
  return method === 'GET' && query?.['limit'] !== undefined;
}

async function* cutShort(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    yield chunk.subarray(0, chunk.length >> 1);
    throw new ApiError('Unreachable', 'connection lost');
  }
}
