import type { KubeObject } from '#api/objects.ts';
import type { Resource } from '#api/resources.ts';
import type { Client } from '#kube/client.ts';
import type { Priority } from '#kube/gate.ts';
import { apiVersionOf, isObject, isRecord } from '#kube/objects.ts';
import { resourcePath } from '#kube/paths.ts';
import { requestJson } from '#kube/request.ts';
import { malformed } from '#kube/response-error.ts';

/** What to list. Without a namespace: all of them. */
export type ListOptions = {
  resource: Resource;
  namespace?: string | undefined;
  labelSelector?: string | undefined;
  /** Objects a page at most; default 500, which parses in a few milliseconds. */
  limit?: number;
  signal: AbortSignal;
  priority?: Priority | undefined;
};

/** One page. Every page of a list shows the same moment, and carries that moment's resourceVersion. */
export type ListPage<T> = { items: T[]; resourceVersion: string; last: boolean };

/**
 * The collection page by page, read with a quorum. Only a list that was read up to its `last` page is complete: an empty page is not the end.
 * Objects get their apiVersion and kind filled in, which lists leave out.
 * @throws {ApiError} `Expired` when the server no longer has the moment of the first page: start over; `Malformed` when the answer is no list.
 */
export async function* listPages<T extends KubeObject>(client: Client, options: ListOptions): AsyncGenerator<ListPage<T>, void, undefined> {
  const { resource, namespace, labelSelector, limit = 500, signal, priority } = options;
  const ref = { resource, namespace };
  const attempt = { verb: 'list', ref } as const;
  for (let from: string | undefined = ''; from !== undefined; ) {
    const query = { limit: String(limit), ...(labelSelector !== undefined && { labelSelector }), ...(from !== '' && { continue: from }) };
    const { body } = await requestJson(client, { ...attempt, method: 'GET', path: resourcePath(ref), query, signal, priority });
    const page = readPage<T>(body, resource);
    if (typeof page === 'string') throw malformed(client, attempt, page);
    from = page.next;
    yield { items: page.items, resourceVersion: page.resourceVersion, last: from === undefined };
  }
}

/** The page, or what is wrong with it. */
function readPage<T extends KubeObject>(
  body: unknown,
  resource: Resource,
): { items: T[]; resourceVersion: string; next: string | undefined } | string {
  if (!isRecord(body) || body['kind'] !== `${resource.kind}List`) return 'answer is another list';
  const metadata = isRecord(body['metadata']) ? body['metadata'] : {};
  const { resourceVersion, continue: next } = metadata;
  if (typeof resourceVersion !== 'string' || resourceVersion === '') return 'list without resourceVersion';
  if (next !== undefined && typeof next !== 'string') return 'continue is no string';
  if (!Array.isArray(body['items'])) return 'items are no list';
  const typeMeta = { apiVersion: apiVersionOf(resource), kind: resource.kind };
  const items: T[] = [];
  for (const element of body['items']) {
    const object: unknown = isRecord(element) ? { ...typeMeta, ...element } : element;
    if (!isObject<T>(object)) return 'an object has no name';
    items.push(object);
  }
  return { items, resourceVersion, next: next === '' ? undefined : next };
}
