import type { KubeObject } from '#api/objects.ts';
import type { Client } from '#kube/client.ts';
import type { ObjectRef } from '#kube/errors.ts';
import type { Priority } from '#kube/gate.ts';
import { isObjectNamed } from '#kube/objects.ts';
import { resourcePath } from '#kube/paths.ts';
import { requestJson } from '#kube/request.ts';
import { malformed } from '#kube/response-error.ts';

/**
 * The object as it is now: without a resourceVersion the API server reads from etcd with a quorum, never from its cache.
 * @throws {ApiError} `NotFound` only when the object is proven absent; `Malformed` when the answer is some other object.
 */
export async function getObject<T extends KubeObject>(
  client: Client,
  ref: ObjectRef,
  options: { signal: AbortSignal; priority?: Priority; deadlineMs?: number },
): Promise<T> {
  const attempt = { verb: 'get', ref } as const;
  const { body } = await requestJson(client, { ...attempt, method: 'GET', path: resourcePath(ref), ...options });
  if (!isObjectNamed<T>(body, ref)) throw malformed(client, attempt, 'answer is another object');
  return body;
}
