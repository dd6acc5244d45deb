import { isDeepStrictEqual } from 'node:util';
import type { KubeObject } from '#api/objects.ts';
import type { Resource } from '#api/resources.ts';
import type { Client } from '#kube/client.ts';
import type { Priority } from '#kube/gate.ts';
import { isObject, isRecord } from '#kube/objects.ts';
import { resourcePath } from '#kube/paths.ts';
import { requestJson } from '#kube/request.ts';
import { malformed } from '#kube/response-error.ts';

/**
 * The part of an object that the server's schema declares; undefined when that is all of it. The server is asked by a creation
 * that it does not carry out, under a name that it makes up: that drops what is not declared. What it adds is left out again,
 * so that a default is never taken for something that we ask for.
 * @throws {ApiError} when the server would not take such an object at all.
 */
export async function knownFields(
  client: Client,
  object: KubeObject,
  options: { resource: Resource; signal: AbortSignal; priority?: Priority | undefined },
): Promise<KubeObject | undefined> {
  const { resource, signal, priority } = options;
  const { apiVersion: _apiVersion, kind: _kind, metadata, ...fields } = object;
  const ref = { resource, namespace: metadata.namespace };
  const attempt = { verb: 'try out', ref } as const;
  const { body } = await requestJson(client, {
    ...{ ...attempt, method: 'POST', path: resourcePath(ref), signal, priority },
    query: { dryRun: 'All', fieldValidation: 'Ignore' },
    contentType: 'application/json',
    body: JSON.stringify({ ...object, metadata: { namespace: metadata.namespace, generateName: 'try-out-' } }),
  });
  // Compared with some other object, everything that we ask for would seem unknown.
  if (!isObject(body) || body.kind !== resource.kind) throw malformed(client, attempt, 'answer is another object');
  const known = common(fields, body);
  return isRecord(known) && !isDeepStrictEqual(known, fields) ? { ...object, ...blank(fields), ...known } : undefined;
}

/** Fields at the top that are not declared must go as well. */
function blank(fields: Record<string, unknown>): Record<string, undefined> {
  return Object.fromEntries(Object.keys(fields).map((key) => [key, undefined]));
}

/** `asked` without what `kept` lacks. Lists of other lengths cannot be compared and are taken as they were asked for. */
function common(asked: unknown, kept: unknown): unknown {
  if (isRecord(asked) && isRecord(kept)) {
    const both = Object.entries(asked).filter(([key]) => key in kept);
    return Object.fromEntries(both.map(([key, value]) => [key, common(value, kept[key])]));
  }
  if (Array.isArray(asked) && Array.isArray(kept) && asked.length === kept.length) return asked.map((value, at) => common(value, kept[at]));
  return asked;
}
