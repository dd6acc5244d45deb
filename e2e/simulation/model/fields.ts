import type { FieldSet, KubeObject, ManagedFields } from '#api/objects.ts';
import { isRecord } from '#kube/objects.ts';

/** One field, as the names that lead to it. Maps are owned member by member, lists and everything else as a whole. */
export type FieldPath = string;

/** By manager: the fields that it owns. */
export type Owners = ReadonlyMap<string, ReadonlySet<FieldPath>>;

/** Who writes, as managed fields tell managers apart. */
export type Manager = { manager: string; operation: 'Apply' | 'Update'; subresource?: string | undefined };

const SEPARATOR = '\u0001';
/** What the server sets, or what says which object it is: nobody owns it. */
const UNOWNED = new Set(['apiVersion', 'kind', 'metadata']);
const OWNED_METADATA = ['labels', 'annotations', 'finalizers', 'ownerReferences'];

/** Every field of the object that can be owned, with its value. */
export function fieldsOf(object: KubeObject): Map<FieldPath, unknown> {
  const fields = new Map<FieldPath, unknown>();
  for (const [name, value] of Object.entries(object)) if (!UNOWNED.has(name)) collect(fields, name, value);
  const metadata: Record<string, unknown> = object.metadata;
  for (const name of OWNED_METADATA) {
    if (metadata[name] !== undefined) collect(fields, `metadata${SEPARATOR}${name}`, metadata[name]);
  }
  return fields;
}

/** The top-level name that a field lies under. */
export function rootOf(path: FieldPath): string {
  return path.split(SEPARATOR)[0] ?? '';
}

/** Sets the field, in place. */
export function setField(object: Record<string, unknown>, path: FieldPath, value: unknown): void {
  const names = path.split(SEPARATOR);
  const last = names.pop() ?? '';
  let parent = object;
  for (const name of names) {
    const next = parent[name];
    const record = isRecord(next) ? next : {};
    parent[name] = record;
    parent = record;
  }
  parent[last] = structuredClone(value);
}

/** Removes the field, and each map around it that is empty then, in place. */
export function removeField(object: Record<string, unknown>, path: FieldPath): void {
  const [name = '', ...rest] = path.split(SEPARATOR);
  const next = object[name];
  if (rest.length === 0) delete object[name];
  else if (isRecord(next)) {
    removeField(next, rest.join(SEPARATOR));
    if (Object.keys(next).length === 0) delete object[name];
  }
}

/** Names a manager in `Owners`. */
export function ownerKey({ manager, operation, subresource = '' }: Manager): string {
  return [manager, operation, subresource].join(SEPARATOR);
}

/** `metadata.managedFields` as a server writes them, in an order that does not depend on who came first. */
export function managedFields(owners: Owners): ManagedFields[] {
  return [...owners].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([key, paths]) => entryOf(key, paths));
}

function entryOf(key: string, paths: ReadonlySet<FieldPath>): ManagedFields {
  const [manager = '', operation, subresource = ''] = key.split(SEPARATOR);
  const fieldsV1: FieldSet = {};
  for (const path of [...paths].toSorted()) {
    let set = fieldsV1;
    for (const name of path.split(SEPARATOR)) set = set[`f:${name}`] ??= {};
  }
  return { manager, operation: operation === 'Apply' ? 'Apply' : 'Update', ...(subresource !== '' && { subresource }), fieldsV1 };
}

function collect(fields: Map<FieldPath, unknown>, path: FieldPath, value: unknown): void {
  if (!isRecord(value) || Object.keys(value).length === 0) return void fields.set(path, value);
  for (const [name, member] of Object.entries(value)) collect(fields, `${path}${SEPARATOR}${name}`, member);
}
