import type { KubeObject } from '#api/objects.ts';
import type { Resource } from '#api/resources.ts';
import type { Client } from '#kube/client.ts';
import type { ApiError } from '#kube/errors.ts';
import { jsonLines } from '#kube/json-lines.ts';
import { resourcePath } from '#kube/paths.ts';
import { heedRetryAfter, readJson } from '#kube/request.ts';
import { failure, malformed, named, refusal } from '#kube/response-error.ts';
import type { Attempt } from '#kube/response-error.ts';
import { readStatus } from '#kube/status.ts';
import type { ApiRequest, ApiResponse } from '#kube/transport.ts';
import { readWatchEvent } from '#kube/watch-event.ts';
import type { WatchEvent } from '#kube/watch-event.ts';

/** What to watch, and from where. */
export type WatchOptions = {
  resource: Resource;
  namespace?: string | undefined;
  labelSelector?: string | undefined;
  /** Events after this one. Absent with `initialEvents`: the present state. */
  resourceVersion?: string | undefined;
  /** First an ADDED for every object there is, then a bookmark with `initialEventsEnd` (KEP-3157). */
  initialEvents?: boolean;
  /** Longest silence before the stream is taken for dead. Default 90 s: servers send a bookmark about once a minute. */
  idleMs?: number | undefined;
  /** Called once the server has accepted the watch, which a quiet collection does not show in any other way. */
  opened?: () => void;
  signal: AbortSignal;
};

/**
 * The events of one watch, until the server ends it, which it does after 5 to 10 minutes.
 * @throws {ApiError} `Expired` when the server no longer knows the resourceVersion, whether it says so by status or within the stream;
 * `Timeout` after a silence; any other failure that a server or a connection can have. Rejects with the signal's reason.
 */
export async function* watchEvents<T extends KubeObject>(
  client: Client,
  options: WatchOptions,
): AsyncGenerator<WatchEvent<T>, void, undefined> {
  const attempt: Attempt = { verb: 'watch', ref: { resource: options.resource, namespace: options.namespace } };
  const response = await open(client, options, attempt);
  options.opened?.();
  for await (const line of readLines(client, attempt, response)) {
    const event = readWatchEvent<T>(line);
    if (event.type === 'ERROR') throw inBandError(client, attempt, event.status);
    if (event.type === 'UNREADABLE') throw malformed(client, attempt, event.fact);
    yield event;
  }
}

const IDLE_MS = 90_000;

/** Only the opening waits for its turn: a watch that runs must not keep a place that a request needs. */
async function open(client: Client, options: WatchOptions, attempt: Attempt): Promise<ApiResponse> {
  const request = watchRequest(client, options);
  return client.gate.run('live', options.signal, async () => {
    const response = await client.transport.send(request).catch((error: unknown) => {
      throw named(client, attempt, error);
    });
    if (response.status === 200) return response;
    const body = await readJson(response).catch((error: unknown) => {
      throw failure(client, attempt, { code: 'Malformed', fact: 'answer cut short', cause: error });
    });
    const error = refusal(client, attempt, { status: response.status, headers: response.headers, body });
    heedRetryAfter(client, error);
    throw error;
  });
}

function watchRequest(client: Client, options: WatchOptions): ApiRequest {
  const { resource, namespace, labelSelector, resourceVersion, initialEvents = false, idleMs = IDLE_MS, signal } = options;
  return {
    method: 'GET',
    path: resourcePath({ resource, namespace }),
    query: {
      watch: '1',
      allowWatchBookmarks: 'true',
      // Spread, so that a restarted server's watches do not all end at once.
      timeoutSeconds: String(Math.floor(300 + client.random() * 300)),
      ...(labelSelector !== undefined && { labelSelector }),
      ...(resourceVersion !== undefined && { resourceVersion }),
      // A server refuses the one without the other.
      ...(initialEvents && { sendInitialEvents: 'true', resourceVersionMatch: 'NotOlderThan' }),
    },
    signal,
    idleMs,
  };
}

async function* readLines(client: Client, attempt: Attempt, response: ApiResponse): AsyncGenerator<unknown, void, undefined> {
  try {
    yield* jsonLines(response.body, () => client.clock.sleep(0));
  } catch (error) {
    throw error instanceof SyntaxError ? malformed(client, attempt, 'stream is not lines of JSON') : named(client, attempt, error);
  }
}

function inBandError(client: Client, attempt: Attempt, body: unknown): ApiError {
  const error = refusal(client, attempt, { status: readStatus(body)?.code ?? 500, headers: {}, body });
  heedRetryAfter(client, error);
  return error;
}
