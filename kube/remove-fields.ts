import type { KubeObject } from '#api/objects.ts';
import type { Client } from '#kube/client.ts';
import type { ObjectRef } from '#kube/errors.ts';
import type { Priority } from '#kube/gate.ts';
import { isObjectNamed } from '#kube/objects.ts';
import { resourcePath } from '#kube/paths.ts';
import { requestJson } from '#kube/request.ts';
import { malformed } from '#kube/response-error.ts';

/** Fields to remove, nested as they lie in the object: `{ spec: { topology: { zone: null } } }`. */
export type FieldsToRemove = { [field: string]: null | FieldsToRemove };

/**
 * The object as the server holds it without these fields, whoever owned them. An apply cannot do that: what it leaves out stays
 * where another manager owns it. Only as long as the object is the very one, unchanged since it was looked at.
 * @throws {ApiError} `Conflict` when uid or resourceVersion differ.
 */
export async function removeFields<T extends KubeObject>(
  client: Client,
  ref: ObjectRef,
  options: {
    fields: FieldsToRemove;
    uid: string;
    resourceVersion: string;
    fieldManager: string;
    signal: AbortSignal;
    priority?: Priority;
  },
): Promise<T> {
  const { fields, uid, resourceVersion, fieldManager, ...rest } = options;
  if (ref.name === undefined) throw new TypeError(`Cannot prune ${ref.resource.plural}: name missing`);
  const attempt = { verb: 'prune', ref } as const;
  const { body } = await requestJson(client, {
    ...attempt,
    method: 'PATCH',
    path: resourcePath(ref),
    query: { fieldManager },
    contentType: 'application/merge-patch+json',
    body: JSON.stringify({ ...fields, metadata: { uid, resourceVersion } }),
    ...rest,
  });
  if (!isObjectNamed<T>(body, ref)) throw malformed(client, attempt, 'answer is another object');
  return body;
}
