import type { KubeObject } from '#api/objects.ts';
import { NAMESPACES } from '#api/resources.ts';
import { isObject, isRecord } from '#kube/objects.ts';
import type { ApiRequest, ApiResponse } from '#kube/transport.ts';
import { json, refusal, statusOf } from '#e2e/simulation/model/answers.ts';
import { applyFields, type Owned, updateFields } from '#e2e/simulation/model/merge.ts';
import { type Address, type Store } from '#e2e/simulation/model/store.ts';
import { invalidFields, withDefaults } from '#e2e/simulation/model/validation.ts';

/** A server-side apply as it comes over the wire. */
export function answerApply(
  store: Store,
  request: ApiRequest,
  { subresource, ...address }: Address & { subresource?: string },
): ApiResponse {
  const wanted: unknown = JSON.parse(request.body ?? 'null');
  if (!isObject<KubeObject>(wanted)) return refusal(400, 'BadRequest');
  const held = store.at(address);
  const obstacle = obstacleOf(store, { held, wanted, address });
  if (obstacle) return obstacle;
  const { fieldManager = '', force } = request.query ?? {};
  const applied = applyFields(held, wanted, { manager: fieldManager, operation: 'Apply', subresource, force: force === 'true' });
  if ('conflicts' in applied) {
    const causes = applied.conflicts.map((field) => ({ reason: 'FieldManagerConflict', field }));
    return refusal(409, 'Conflict', { details: { name: address.name, causes } });
  }
  return storeValid(store, { address, held, next: { ...applied, object: withDefaults(address.resource, applied.object) } });
}

/** A creation as it comes over the wire, or one that is only tried out and may leave its name to the server. */
export function answerCreate(store: Store, request: ApiRequest, { resource, namespace }: Omit<Address, 'name'>): ApiResponse {
  const wanted: unknown = JSON.parse(request.body ?? 'null');
  if (!isRecord(wanted) || !isRecord(wanted['metadata'])) return refusal(400, 'BadRequest');
  const { name: asked, generateName } = wanted['metadata'];
  const name = typeof asked === 'string' ? asked : `${String(generateName)}x`;
  const object = withDefaults(resource, { ...wanted, metadata: { ...wanted['metadata'], name } });
  const address = { resource, namespace, name };
  if (store.at(address)) return refusal(409, 'AlreadyExists', { details: { name, kind: resource.plural } });
  const obstacle = obstacleOf(store, { held: undefined, wanted: object, address });
  if (obstacle) return obstacle;
  if (request.query?.['dryRun'] === 'All') return json(object, 201);
  const manager = { manager: request.query?.['fieldManager'] ?? '', operation: 'Update' } as const;
  return storeValid(store, { address, held: undefined, next: updateFields(undefined, object, manager) });
}

/** A delete with its preconditions. A finalizer keeps the object, marked as going. */
export function answerDelete(store: Store, request: ApiRequest, { address, nowMs }: { address: Address; nowMs: number }): ApiResponse {
  const held = store.at(address);
  if (!held) return notFound(address);
  const options: unknown = JSON.parse(request.body ?? 'null');
  const asked = isRecord(options) && isRecord(options['preconditions']) ? options['preconditions'] : {};
  const { uid, resourceVersion } = held.object.metadata;
  if (isOther(asked['uid'], uid) || isOther(asked['resourceVersion'], resourceVersion)) return conflict(address);
  const going = markDeleted(store, address, nowMs);
  return going ? json(going) : json({ ...statusOf(200, ''), status: 'Success', reason: undefined });
}

/** Deletes as a server does. @returns the object where a finalizer, or the content of a namespace, keeps it. */
export function markDeleted(store: Store, address: Address, nowMs: number): KubeObject | undefined {
  const held = store.at(address);
  if (!held) return undefined;
  const { metadata } = held.object;
  const isNamespace = address.resource === NAMESPACES;
  if (!isNamespace && !metadata.finalizers?.length) {
    store.remove(address);
    return undefined;
  }
  if (metadata.deletionTimestamp !== undefined) return held.object;
  const deletionTimestamp = new Date(nowMs).toISOString();
  return store.write(address, { ...held, object: { ...held.object, metadata: { ...metadata, deletionTimestamp } } });
}

/** The answer of the API that serves the kind: this object is not there. */
export function notFound({ resource: { group, plural }, name }: Address): ApiResponse {
  return refusal(404, 'NotFound', { details: { name, ...(group !== '' && { group }), kind: plural } });
}

/** Stores what a write has come to, unless that changes nothing; what is going and has lost its last finalizer goes. */
export function settleWrite(store: Store, { address, held, next }: { address: Address; held: Owned | undefined; next: Owned }): KubeObject {
  if (held && isSame(held, next)) return held.object;
  const stored = store.write(address, next);
  const { deletionTimestamp, finalizers } = stored.metadata;
  if (deletionTimestamp !== undefined && !finalizers?.length && address.resource !== NAMESPACES) store.remove(address);
  return stored;
}

function storeValid(store: Store, write: { address: Address; held: Owned | undefined; next: Owned }): ApiResponse {
  const { held, next, address } = write;
  const fields = invalidFields(address.resource, { before: held?.object, after: next.object });
  if (fields.length > 0) {
    return refusal(422, 'Invalid', {
      details: { name: address.name, causes: fields.map((field) => ({ reason: 'FieldValueInvalid', field })) },
    });
  }
  return json(settleWrite(store, write), held ? 200 : 201);
}

/** What stands against any write: its own preconditions, or the namespace. */
function obstacleOf(
  store: Store,
  { held, wanted, address }: { held: Owned | undefined; wanted: KubeObject; address: Address },
): ApiResponse | undefined {
  const { uid, resourceVersion } = wanted.metadata;
  const present = held?.object.metadata;
  if (isOther(uid, present?.uid) || isOther(resourceVersion, present?.resourceVersion)) return conflict(address);
  if (held || address.namespace === undefined) return undefined;
  const namespace = { resource: NAMESPACES, name: address.namespace };
  const around = store.at(namespace)?.object;
  if (!around) return notFound(namespace);
  return around.metadata.deletionTimestamp === undefined ? undefined : refusal(403, 'Forbidden', { details: { name: address.name } });
}

function conflict({ name, resource: { plural } }: Address): ApiResponse {
  return refusal(409, 'Conflict', { details: { name, kind: plural } });
}

function isOther(asked: unknown, actual: string | undefined): boolean {
  return asked !== undefined && asked !== actual;
}

function isSame(held: Owned, next: Owned): boolean {
  return JSON.stringify([held.object, ownersOf(held)]) === JSON.stringify([next.object, ownersOf(next)]);
}

function ownersOf({ owners }: Owned): [string, string[]][] {
  return [...owners].map(([key, paths]) => [key, [...paths].toSorted()]);
}
