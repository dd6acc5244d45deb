import { isDeepStrictEqual } from 'node:util';
import type { KubeObject } from '#api/objects.ts';
import {
  type FieldPath,
  fieldsOf,
  type Manager,
  type Owners,
  ownerKey,
  removeField,
  rootOf,
  setField,
} from '#e2e/simulation/model/fields.ts';

/** An object with who owns what of it; never changed in place. */
export type Owned = { object: KubeObject; owners: Owners };

/** What an apply comes to: another object, or the fields over which managers disagree. */
export type Applied = Owned | { conflicts: FieldPath[] };

/**
 * A server-side apply (KEP-555): the manager's fields become exactly those that it names. What it named before and names no
 * more goes, unless another manager owns it too. A field of another manager that has another value is a conflict, or taken over.
 */
export function applyFields(held: Owned | undefined, wanted: KubeObject, by: Manager & { force: boolean }): Applied {
  const fields = onlyUnder(fieldsOf(wanted), by.subresource);
  const present = held ? fieldsOf(held.object) : new Map<FieldPath, unknown>();
  const others = [...(held?.owners ?? [])].filter(([key]) => key !== ownerKey(by));
  const isTheirs = (path: FieldPath) => others.some(([, paths]) => paths.has(path));
  const conflicts = [...fields]
    .filter(([path, value]) => isTheirs(path) && !isDeepStrictEqual(present.get(path), value))
    .map(([path]) => path);
  if (conflicts.length > 0 && !by.force) return { conflicts };
  const object = held ? structuredClone(held.object) : bare(wanted);
  for (const path of held?.owners.get(ownerKey(by)) ?? []) if (!fields.has(path) && !isTheirs(path)) removeField(object, path);
  for (const [path, value] of fields) setField(object, path, value);
  const rest = others.map(([key, paths]): [string, Set<FieldPath>] => [
    key,
    new Set([...paths].filter((path) => !conflicts.includes(path))),
  ]);
  return { object, owners: ownersOf([...rest, [ownerKey(by), new Set(fields.keys())]]) };
}

/** A write of the whole object, as PUT and most clients do: who changes a field owns it, alone. */
export function updateFields(held: Owned | undefined, object: KubeObject, by: Manager): Owned {
  const [before, after] = [held ? fieldsOf(held.object) : new Map<FieldPath, unknown>(), fieldsOf(object)];
  const changed = new Set(
    [...after].filter(([path, value]) => !before.has(path) || !isDeepStrictEqual(before.get(path), value)).map(([path]) => path),
  );
  const kept = [...(held?.owners ?? [])].map(([key, paths]): [string, Set<FieldPath>] => [
    key,
    new Set([...paths].filter((path) => after.has(path) && !changed.has(path))),
  ]);
  const own = new Set([...(kept.find(([key]) => key === ownerKey(by))?.[1] ?? []), ...changed]);
  return { object, owners: ownersOf([...kept.filter(([key]) => key !== ownerKey(by)), [ownerKey(by), own]]) };
}

/** A subresource is written alone, and never with the rest. */
function onlyUnder(fields: Map<FieldPath, unknown>, subresource: string | undefined): Map<FieldPath, unknown> {
  return new Map([...fields].filter(([path]) => (rootOf(path) === 'status') === (subresource === 'status')));
}

function bare({ apiVersion, kind, metadata: { name, namespace } }: KubeObject): KubeObject {
  return {
    ...(apiVersion !== undefined && { apiVersion }),
    ...(kind !== undefined && { kind }),
    metadata: { name, ...(namespace !== undefined && { namespace }) },
  };
}

function ownersOf(entries: [string, Set<FieldPath>][]): Owners {
  return new Map(entries.filter(([, paths]) => paths.size > 0).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
