import type { Client } from '#kube/client.ts';
import type { ObjectRef } from '#kube/errors.ts';
import type { Priority } from '#kube/gate.ts';
import { isObjectNamed } from '#kube/objects.ts';
import { resourcePath } from '#kube/paths.ts';
import { requestJson } from '#kube/request.ts';
import { malformed } from '#kube/response-error.ts';
import { isRecord } from '#kube/objects.ts';

/**
 * Deletes the object only as long as it is the very one, unchanged since it was looked at.
 * `stillWanted` is asked when it is about to leave, after whatever wait. Answers `terminating` when a finalizer keeps it: it is gone only once its DELETED event has come.
 * @throws {ApiError} `NotFound` when it is gone already, `Conflict` when uid or resourceVersion differ; {NotSentError} when it is not wanted any more.
 */
export async function deleteObject(
  client: Client,
  ref: ObjectRef,
  options: { uid: string; resourceVersion: string; signal: AbortSignal; priority?: Priority; stillWanted?: (() => boolean) | undefined },
): Promise<'deleted' | 'terminating'> {
  const { uid, resourceVersion, ...rest } = options;
  if (ref.name === undefined) throw new TypeError(`Cannot delete ${ref.resource.plural}: name missing`);
  const attempt = { verb: 'delete', ref } as const;
  const { body } = await requestJson(client, {
    ...attempt,
    method: 'DELETE',
    path: resourcePath(ref),
    contentType: 'application/json',
    body: JSON.stringify({ apiVersion: 'v1', kind: 'DeleteOptions', preconditions: { uid, resourceVersion } }),
    ...rest,
  });
  if (isObjectNamed(body, ref)) return body.metadata.deletionTimestamp === undefined ? 'deleted' : 'terminating';
  if (isRecord(body) && body['kind'] === 'Status' && body['status'] === 'Success') return 'deleted';
  throw malformed(client, attempt, 'answer is another object');
}
