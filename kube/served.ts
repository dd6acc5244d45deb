import type { Resource } from '#api/resources.ts';
import type { Client } from '#kube/client.ts';
import { isApiError } from '#kube/errors.ts';
import { isRecord } from '#kube/objects.ts';
import { versionPath } from '#kube/paths.ts';
import { requestJson } from '#kube/request.ts';
import { malformed } from '#kube/response-error.ts';

/**
 * True when the server serves the kind in exactly this version. The server's preferred version is never asked for: a version
 * without a digit sorts last.
 * @throws {ApiError} when the server did not say.
 */
export async function isServed(client: Client, resource: Resource, options: { signal: AbortSignal }): Promise<boolean> {
  const attempt = { verb: 'discover', ref: { resource } } as const;
  try {
    const { body } = await requestJson(client, { ...attempt, method: 'GET', path: versionPath(resource), ...options });
    if (!isRecord(body) || !Array.isArray(body['resources'])) throw malformed(client, attempt, 'answer is no list of resources');
    return body['resources'].some((served: unknown) => isRecord(served) && served['name'] === resource.plural);
  } catch (error) {
    if (isApiError(error, 'NotServed')) return false;
    throw error;
  }
}
