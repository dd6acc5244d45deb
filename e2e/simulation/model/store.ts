import type { KubeObject } from '#api/objects.ts';
import type { Resource } from '#api/resources.ts';
import { apiVersionOf } from '#kube/objects.ts';
import { managedFields } from '#e2e/simulation/model/fields.ts';
import type { Owned } from '#e2e/simulation/model/merge.ts';

/** One object's address on a server. */
export type Address = { resource: Resource; namespace?: string | undefined; name: string };

/** What one write did, as watches are told of it. */
export type Change = { version: number; collection: string; now: KubeObject | undefined; before: KubeObject | undefined };

/** An object that a store has lost without a word. */
export type Lost = { address: Address; owned: Owned };

/** Everything that a restore brings back. */
export type Backup = { version: number; objects: ReadonlyMap<string, Owned> };

/** Versions that others' writes take up. */
const BUSY = 200;

/** What a server keeps: its objects, one version for all of them, and the changes since the last compaction. */
export class Store {
  #objects = new Map<string, Owned>();
  #changes: Change[] = [];
  #version: number;
  #compacted: number;
  #uids = 0;
  readonly #name: string;
  readonly #listeners = new Set<() => void>();

  constructor(name: string, version: number) {
    this.#name = name;
    this.#version = version;
    this.#compacted = version;
  }

  get version(): number {
    return this.#version;
  }

  /** The newest version of which the changes are forgotten. */
  get compacted(): number {
    return this.#compacted;
  }

  at(address: Address): Owned | undefined {
    return this.#objects.get(keyOf(address));
  }

  /** The objects of a kind, by key, in the order of their keys. */
  list(resource: Resource, namespace?: string): KubeObject[] {
    const prefix = `${collectionOf(resource)}/${namespace === undefined ? '' : `${namespace}/`}`;
    const keys = [...this.#objects.keys()].filter((key) => key.startsWith(prefix)).toSorted();
    return keys.flatMap((key) => this.#objects.get(key)?.object ?? []);
  }

  /** Stores the object under a new version. */
  write(address: Address, { object, owners }: Owned): KubeObject {
    const before = this.at(address)?.object;
    this.#version += 1;
    const { resource, namespace, name } = address;
    const stored: KubeObject = {
      ...object,
      apiVersion: apiVersionOf(resource),
      kind: resource.kind,
      metadata: {
        ...object.metadata,
        name,
        ...(namespace !== undefined && { namespace }),
        uid: before?.metadata.uid ?? this.#newUid(),
        resourceVersion: String(this.#version),
        managedFields: managedFields(owners),
      },
    };
    this.#objects.set(keyOf(address), { object: stored, owners });
    this.#changed({ version: this.#version, collection: collectionOf(resource), now: stored, before });
    return stored;
  }

  /** Takes the object away. What a watch shows of it carries the version of its going. */
  remove(address: Address): void {
    const before = this.at(address)?.object;
    if (!before) return;
    this.#version += 1;
    this.#objects.delete(keyOf(address));
    const gone = { ...before, metadata: { ...before.metadata, resourceVersion: String(this.#version) } };
    this.#changed({ version: this.#version, collection: collectionOf(address.resource), now: undefined, before: gone });
  }

  /** The changes after a version, which must not be compacted. */
  since(version: number): Change[] {
    const first = this.#changes.findLastIndex((change) => change.version <= version) + 1;
    return this.#changes.slice(first);
  }

  /** Loses the object: no change tells of it. */
  lose(address: Address): Lost[] {
    const owned = this.at(address);
    this.#objects.delete(keyOf(address));
    return owned ? [{ address, owned }] : [];
  }

  /** Has it again as it was, unless something else stands there by now. */
  find({ address, owned }: Lost): void {
    if (!this.at(address)) this.#objects.set(keyOf(address), owned);
  }

  compact(): void {
    this.#changes = [];
    this.#compacted = this.#version;
  }

  /** The present state. Versions go on from far above it, as on a server that has much else to do: a restore is seen to go back. */
  backUp(): Backup {
    const backup = { version: this.#version, objects: new Map(this.#objects) };
    this.#version += BUSY;
    return backup;
  }

  restore({ version, objects }: Backup): void {
    this.#version = version;
    this.#objects = new Map(objects);
    this.#changes = [];
    this.#compacted = version;
  }

  /** Calls after each change. @returns how to stop that. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #newUid(): string {
    this.#uids += 1;
    return `${this.#name}-${this.#uids}`;
  }

  #changed(change: Change): void {
    this.#changes.push(change);
    for (const listener of [...this.#listeners]) listener();
  }
}

/** Names a kind's collection over all namespaces. */
export function collectionOf({ group, plural }: Resource): string {
  return `${group}/${plural}`;
}

function keyOf({ resource, namespace, name }: Address): string {
  return `${collectionOf(resource)}/${namespace === undefined ? '' : `${namespace}/`}${name}`;
}
