import type { Client } from '#kube/client.ts';
import { withDeadline } from '#kube/deadline.ts';
import { isApiError, NotSentError } from '#kube/errors.ts';
import type { ApiError } from '#kube/errors.ts';
import type { Priority } from '#kube/gate.ts';
import { failure, malformed, named, refusal } from '#kube/response-error.ts';
import type { Attempt } from '#kube/response-error.ts';
import type { ApiRequest, ApiResponse } from '#kube/transport.ts';

/** One request whose answer is one JSON document. */
export type JsonRequest = Attempt &
  Pick<ApiRequest, 'method' | 'path' | 'query' | 'body' | 'contentType' | 'signal'> & {
    /** Default `live`. */
    priority?: Priority | undefined;
    /** From the moment it is sent to the last byte of the answer; waiting in the gate does not count. Default 15 s. */
    deadlineMs?: number | undefined;
    /** Asked when its turn has come, and by the transport once more when it leaves. Default: true. */
    stillWanted?: (() => boolean) | undefined;
  };

/**
 * The parsed answer of one request, sent when its turn in the client's gate comes.
 * A 429, and a 503 that says when to come back, hold back everything else for that server as well; trying again is the caller's.
 * @throws {ApiError} for every other answer than 2xx, for no answer in time, and for a body that is no JSON; {NotSentError}.
 * Rejects with the signal's reason when that aborts.
 */
export function requestJson(client: Client, request: JsonRequest): Promise<{ status: number; body: unknown }> {
  return client.gate.run(request.priority ?? 'live', request.signal, async () => {
    // It may have waited for long: behind others, or because the server asked for it.
    if (request.stillWanted?.() === false) throw new NotSentError(`Not sent to ${client.cluster}: not wanted any more`);
    return sendOnce(client, request);
  });
}

/** Tells the client's gate what the server asked for, if it asked. */
export function heedRetryAfter(client: Client, error: ApiError): void {
  if (error.status === 429) client.gate.holdFor(error.retryAfterMs ?? UNTOLD_HOLD_MS);
  else if (error.status === 503 && error.retryAfterMs !== undefined) client.gate.holdFor(error.retryAfterMs);
}

/** Reads a body to its end and parses it; undefined when it is no JSON. */
export async function readJson(response: ApiResponse): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of response.body) chunks.push(chunk);
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    return undefined;
  }
}

/**
 * An answer that has not come by then is taken for lost. API servers give up on their side after 60 s, but answer what is asked here in
 * milliseconds; a connection that fell silent holds its caller for this long.
 */
const DEADLINE_MS = 15_000;
/** For a 429 that does not say how long. */
const UNTOLD_HOLD_MS = 1_000;

function sendOnce(client: Client, request: JsonRequest): Promise<{ status: number; body: unknown }> {
  const ms = request.deadlineMs ?? DEADLINE_MS;
  const late = () => failure(client, request, { code: 'Timeout', fact: `no answer within ${ms} ms` });
  return withDeadline({ clock: client.clock, ms, signal: request.signal, late }, (signal) =>
    exchange(client, request, { signal, idleMs: ms }),
  );
}

async function exchange(
  client: Client,
  request: JsonRequest,
  limits: { signal: AbortSignal; idleMs: number },
): Promise<{ status: number; body: unknown }> {
  const { method, path, query, body, contentType, stillWanted } = request;
  const response = await client.transport
    .send({
      method,
      path,
      ...(query && { query }),
      ...(body !== undefined && { body }),
      ...(contentType !== undefined && { contentType }),
      ...(stillWanted && { stillWanted }),
      ...limits,
    })
    .catch((error: unknown) => {
      throw named(client, request, error);
    });
  const answer = { status: response.status, headers: response.headers, body: await readWhole(client, request, response) };
  if (answer.status < 200 || answer.status > 299) {
    const error = refusal(client, request, answer);
    heedRetryAfter(client, error);
    throw error;
  }
  if (answer.body === undefined) throw malformed(client, request, 'answer is not JSON');
  return answer;
}

async function readWhole(client: Client, request: JsonRequest, response: ApiResponse): Promise<unknown> {
  try {
    return await readJson(response);
  } catch (error) {
    // The head came, the rest did not: there was an answer, and it cannot be used.
    if (isApiError(error, 'Unreachable')) throw failure(client, request, { code: 'Malformed', fact: 'answer cut short', cause: error });
    throw named(client, request, error);
  }
}
