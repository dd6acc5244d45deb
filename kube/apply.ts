import type { KubeObject } from '#api/objects.ts';
import type { Resource } from '#api/resources.ts';
import type { Client } from '#kube/client.ts';
import type { Priority } from '#kube/gate.ts';
import { isObjectNamed } from '#kube/objects.ts';
import { resourcePath } from '#kube/paths.ts';
import { requestJson } from '#kube/request.ts';
import { malformed } from '#kube/response-error.ts';

/**
 * The object as the server holds it after a server-side apply of exactly the given fields (KEP-555).
 * The object goes out as it is, fields unknown here included, and must carry apiVersion, kind and name. Costs as much when nothing
 * changes: compare first. With a `subresource`, of that part alone. `force` takes fields over from other managers; without it they are a `Conflict`.
 * `stillWanted` is asked when it is about to leave, after whatever wait.
 * @throws {NotSentError} when it is not wanted any more; {ApiError} after a `Timeout`, `Unreachable` or `Malformed` the write may have been made or not.
 */
export async function applyObject<T extends KubeObject>(
  client: Client,
  object: T,
  options: {
    resource: Resource;
    subresource?: 'status';
    fieldManager: string;
    force: boolean;
    signal: AbortSignal;
    priority?: Priority;
    stillWanted?: (() => boolean) | undefined;
  },
): Promise<{ object: T; created: boolean }> {
  const { resource, subresource, fieldManager, force, ...rest } = options;
  const ref = { resource, namespace: object.metadata.namespace, name: object.metadata.name };
  const attempt = { verb: 'apply', ref } as const;
  const { status, body } = await requestJson(client, {
    ...attempt,
    method: 'PATCH',
    path: subresource === undefined ? resourcePath(ref) : `${resourcePath(ref)}/${subresource}`,
    query: { fieldManager, force: String(force) },
    contentType: 'application/apply-patch+yaml', // JSON is YAML
    body: JSON.stringify(object),
    ...rest,
  });
  if (!isObjectNamed<T>(body, ref)) throw malformed(client, attempt, 'answer is another object');
  return { object: body, created: status === 201 };
}
