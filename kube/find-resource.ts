import type { Resource } from '#api/resources.ts';
import type { Client } from '#kube/client.ts';
import { isApiError } from '#kube/errors.ts';
import { isRecord } from '#kube/objects.ts';
import { versionPath } from '#kube/paths.ts';
import { requestJson } from '#kube/request.ts';
import { malformed } from '#kube/response-error.ts';

/** A kind in exactly one version; where it is served is for the server to say. */
export type VersionedKind = Pick<Resource, 'group' | 'version' | 'kind'>;

/**
 * Where the server serves the kind, in exactly this version; undefined when it does not. The server's preferred version is
 * never asked for: a version without a digit sorts last.
 * @throws {ApiError} when the server did not say.
 */
export async function findResource(client: Client, wanted: VersionedKind, options: { signal: AbortSignal }): Promise<Resource | undefined> {
  const { group, version, kind } = wanted;
  const attempt = { verb: 'discover', ref: { resource: { group, version, kind, plural: kind, namespaced: true } } } as const;
  try {
    const { body } = await requestJson(client, { ...attempt, method: 'GET', path: versionPath(wanted), ...options });
    if (!isRecord(body) || !Array.isArray(body['resources'])) throw malformed(client, attempt, 'answer is no list of resources');
    return body['resources'].map((served: unknown) => readResource(served, wanted)).find((resource) => resource !== undefined);
  } catch (error) {
    if (isApiError(error, 'NotServed')) return undefined;
    throw error;
  }
}

/** Subresources (`widgets/status`) are listed under the same kind. */
function readResource(served: unknown, { group, version, kind }: VersionedKind): Resource | undefined {
  if (!isRecord(served) || served['kind'] !== kind || typeof served['name'] !== 'string' || served['name'].includes('/')) return undefined;
  return { group, version, kind, plural: served['name'], namespaced: served['namespaced'] === true };
}
