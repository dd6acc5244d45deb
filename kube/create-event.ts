import type { KubeObject } from '#api/objects.ts';
import { EVENTS } from '#api/resources.ts';
import type { Client } from '#kube/client.ts';
import { createObject } from '#kube/create.ts';
import { isApiError } from '#kube/errors.ts';

/**
 * Has the server hold this Event (`event.ts`). One of its name that is there already is left as it is: it was told before, perhaps
 * by a request whose answer was lost. Needs no right but `create`.
 * @throws {ApiError} when the server has not taken it, or that is not known.
 */
export async function createEvent(
  client: Client,
  event: KubeObject,
  options: { fieldManager: string; signal: AbortSignal },
): Promise<void> {
  try {
    await createObject(client, event, { ...options, resource: EVENTS, priority: 'repair' });
  } catch (error) {
    if (!isApiError(error, 'AlreadyExists')) throw error;
  }
}
