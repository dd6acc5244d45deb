import type { KubeObject } from '#api/objects.ts';
import { isObject, isRecord } from '#kube/objects.ts';
import type { ApiRequest, ApiResponse, Transport } from '#kube/transport.ts';
import { readWatchEvent } from '#kube/watch-event.ts';

/** What a client learns of a collection. `listed` ends a list that is complete, and began at `sinceMs`; `resumed` is the client's own word. */
export type Heard =
  | { kind: 'shown'; object: KubeObject }
  | { kind: 'gone'; object: KubeObject }
  | { kind: 'stands' | 'resumed'; version: string }
  | { kind: 'listed'; objects: KubeObject[]; version: string; sinceMs: number };

/** Who hears what is read of the collection, or of the one object, that a request asks for; undefined: nobody. */
export type Hears = (request: ApiRequest) => ((heard: Heard) => void) | undefined;

/** The same transport, of which somebody hears what the client reads, just before it does: after every fault on the way. */
export function overhear(transport: Transport, { hears, nowMs }: { hears: Hears; nowMs: () => number }): Transport {
  return {
    close: () => transport.close(),
    send: async (request) => {
      const hear = request.method === 'GET' ? hears(request) : undefined;
      const sinceMs = nowMs();
      const response = await transport.send(request);
      if (!hear || response.status !== 200) return response;
      if (request.query === undefined) return { ...response, body: readObject(response, hear) };
      const { watch, resourceVersion, limit } = request.query;
      if (watch !== '1') return { ...response, body: readPage(response, { hear, sinceMs, isWhole: limit !== '1' }) };
      // What the client has taken is the server's word only as far as it has shown that.
      if (resourceVersion !== undefined) hear({ kind: 'resumed', version: resourceVersion });
      return { ...response, body: readEvents(response, { hear, sinceMs }) };
    },
  };
}

type Hearing = { hear: (heard: Heard) => void; sinceMs: number };

async function* readObject(response: ApiResponse, hear: (heard: Heard) => void): AsyncGenerator<Uint8Array> {
  const chunks: Uint8Array[] = [];
  yield* keeping(chunks, response);
  const object = parsed(Buffer.concat(chunks));
  if (isObject<KubeObject>(object)) hear({ kind: 'shown', object });
}

async function* readPage(response: ApiResponse, { hear, sinceMs, isWhole }: Hearing & { isWhole: boolean }): AsyncGenerator<Uint8Array> {
  const chunks: Uint8Array[] = [];
  yield* keeping(chunks, response);
  const list = parsed(Buffer.concat(chunks));
  if (!isRecord(list) || !isRecord(list['metadata']) || !Array.isArray(list['items'])) return;
  const { resourceVersion: version, continue: more } = list['metadata'];
  if (typeof version !== 'string') return;
  const objects = list['items'].filter((item) => isObject<KubeObject>(item));
  // One object of many: asked for to learn the version alone.
  if (!isWhole || more !== undefined) return hear({ kind: 'stands', version });
  for (const object of objects) hear({ kind: 'shown', object });
  hear({ kind: 'listed', objects, version, sinceMs });
}

async function* readEvents({ body }: ApiResponse, { hear, sinceMs }: Hearing): AsyncGenerator<Uint8Array> {
  let objects: KubeObject[] | undefined = [];
  // A model sends each event in a chunk of its own.
  for await (const chunk of body) {
    const event = readWatchEvent<KubeObject>(parsed(chunk));
    if (event.type === 'BOOKMARK') {
      const { resourceVersion: version } = event;
      if (objects && event.initialEventsEnd) hear({ kind: 'listed', objects, version, sinceMs });
      if (event.initialEventsEnd) objects = undefined;
      hear({ kind: 'stands', version });
    } else if ('object' in event) {
      hear({ kind: event.type === 'DELETED' ? 'gone' : 'shown', object: event.object });
      objects?.push(event.object);
    }
    yield chunk;
  }
}

async function* keeping(chunks: Uint8Array[], { body }: ApiResponse): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    chunks.push(chunk);
    yield chunk;
  }
}

function parsed(json: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(json).toString('utf8'));
  } catch {
    return undefined;
  }
}
