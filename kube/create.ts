import type { KubeObject } from '#api/objects.ts';
import type { Resource } from '#api/resources.ts';
import type { Client } from '#kube/client.ts';
import type { Priority } from '#kube/gate.ts';
import { isObjectNamed } from '#kube/objects.ts';
import { resourcePath } from '#kube/paths.ts';
import { requestJson } from '#kube/request.ts';
import { malformed } from '#kube/response-error.ts';

/**
 * The new object as the server holds it. For objects that are written once: fields set so cannot be dropped by a later apply.
 * @throws {ApiError} `AlreadyExists` when there is one of that name; after a `Timeout`, `Unreachable` or `Malformed` it may have been made.
 */
export async function createObject<T extends KubeObject>(
  client: Client,
  object: T,
  options: { resource: Resource; fieldManager: string; signal: AbortSignal; priority?: Priority },
): Promise<T> {
  const { resource, fieldManager, ...rest } = options;
  const { namespace, name } = object.metadata;
  const ref = { resource, namespace, name };
  const attempt = { verb: 'create', ref } as const;
  const { body } = await requestJson(client, {
    ...attempt,
    method: 'POST',
    path: resourcePath({ resource, namespace }),
    query: { fieldManager },
    contentType: 'application/json',
    body: JSON.stringify(object),
    ...rest,
  });
  if (!isObjectNamed<T>(body, ref)) throw malformed(client, attempt, 'answer is another object');
  return body;
}
