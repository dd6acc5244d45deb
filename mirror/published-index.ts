import type { KubeObject } from '#api/objects.ts';
import { failureCode } from '#kube/errors.ts';
import type { ReflectorHandler } from '#kube/reflector-handler.ts';
import { AnswerOrder } from '#mirror/answer-order.ts';
import { keyOf, type ObjectKey } from '#mirror/object-key.ts';
import { isOwnCluster, type Owner } from '#mirror/ownership.ts';
import { copyDigest, ownedDigest } from '#mirror/owned-fields.ts';

/** What a copy says of itself, read from its labels and annotations. */
export type CopyDescription = {
  /** Where it came from: the location, or the project. Undefined where a mark that says so is missing. */
  origin: string | undefined;
  /** Key of its source in the plane it came from. */
  source: ObjectKey;
  /** False when the source's name is not written on the copy and was guessed from the copy's own name. */
  sourceRecorded: boolean;
  /** UID of the source's cluster, where it is recorded. */
  sourceCluster: string | undefined;
  /** Value of what cannot be changed in place; a copy that needs another one is replaced. Empty: nothing is known to be fixed. */
  fixed: string;
};

/** What is kept of a copy: identity and digest, no content (design section 4). */
export type Published = CopyDescription & {
  origin: string;
  uid: string;
  resourceVersion: string;
  /** Digest of the fields that we own, as the hub holds them. */
  digest: string;
  terminating: boolean;
  /** The digest last asked for, where the hub answered with another one (defaults, pruned fields). */
  asked?: string | undefined;
};

type Entry = Published & { list: number };

/** How an index reads the copies of one kind. */
export type IndexRules = {
  fieldManager: string;
  /** Undefined for an object that does not say whose copy it is. */
  describe(copy: KubeObject): CopyDescription | undefined;
};

/**
 * What the hub holds of one kind of copy, computed from the hub's own watch and from the answers to our writes.
 * Complete only once a full list has ended: before that, nothing may be concluded from an entry that is missing.
 */
export class PublishedIndex {
  readonly #rules: IndexRules;
  readonly #entries = new Map<ObjectKey, Entry>();
  readonly #counts = new Map<string, number>();
  readonly #listeners = new Map<string, Set<(source: ObjectKey) => void>>();
  readonly #answers = new AnswerOrder();
  #list = 0;
  #listing = false;
  #complete = false;
  #why = 'NotListed';
  #whenComplete: (() => void)[] = [];

  constructor(rules: IndexRules) {
    this.#rules = rules;
  }

  /** What to give to the reflector of the copies. */
  get handler(): ReflectorHandler<KubeObject> {
    return {
      listStarted: () => this.#startList(),
      present: (copy) => this.#observe(copy),
      deleted: (copy) => this.#observeDeletion(copy),
      listCompleted: () => this.#finishList(),
      failed: (error) => void (this.#why = failureCode(error)),
    };
  }

  /** True once the hub has been listed in full. */
  get complete(): boolean {
    return this.#complete;
  }

  /** Why the hub has not been listed in full yet, see `missing.ts`. */
  get missing(): string | undefined {
    return this.#complete ? undefined : this.#why;
  }

  /** Resolves once the hub has been listed in full. */
  async untilComplete(): Promise<void> {
    if (!this.#complete) await new Promise<void>((resolve) => this.#whenComplete.push(resolve));
  }

  /** The copy of this key, as last known. */
  get(key: ObjectKey | undefined): Published | undefined {
    return key === undefined ? undefined : this.#entries.get(key);
  }

  /** What a copy says of itself; undefined where it does not say whose it is. */
  describe(copy: KubeObject): CopyDescription | undefined {
    return this.#rules.describe(copy);
  }

  /** True when the hub already holds what a copy of this digest asks for: writing it would change nothing. */
  settled(key: ObjectKey | undefined, digest: string): boolean {
    const entry = this.get(key);
    return entry !== undefined && !entry.terminating && (entry.digest === digest || entry.asked === digest);
  }

  /** Every copy that came from this origin, or from this cluster when it had another origin. */
  *from(owner: Omit<Owner, 'source'>): Generator<[ObjectKey, Published]> {
    for (const [key, entry] of this.#entries)
      if (entry.origin === owner.origin || isOwnCluster(entry.sourceCluster, owner)) yield [key, entry];
  }

  /** The origins under which copies of this cluster stand. */
  originsOf(sourceCluster: string): Set<string> {
    const origins = new Set<string>();
    for (const entry of this.#entries.values()) if (entry.sourceCluster === sourceCluster) origins.add(entry.origin);
    return origins;
  }

  /** How many copies came from this origin. */
  count(origin: string): number {
    return this.#counts.get(origin) ?? 0;
  }

  /** Calls `listener` with the source's key whenever a copy from this origin changed. @returns how to stop that. */
  subscribe(origin: string, listener: (source: ObjectKey) => void): () => void {
    const listeners = this.#listeners.get(origin) ?? new Set();
    this.#listeners.set(origin, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.#listeners.delete(origin);
    };
  }

  /** Runs one write of `copy` and takes over what the hub answered. */
  async write(copy: KubeObject, send: () => Promise<KubeObject>): Promise<void> {
    const key = keyOf(copy);
    const answer = await this.read(key, send);
    const entry = this.#entries.get(key);
    const asked = copyDigest(copy);
    const answered = ownedDigest(answer, this.#rules.fieldManager);
    if (entry?.digest === answered && asked !== answered) entry.asked = asked;
  }

  /**
   * Runs one live read or write of the object under `key` and takes over what the hub answered, so that it is known before
   * its event arrives: read-your-own-writes by resourceVersion, without waiting.
   */
  async read(key: ObjectKey, send: () => Promise<KubeObject>): Promise<KubeObject> {
    const flight = this.#answers.begin(key, this.#entries.get(key)?.resourceVersion);
    try {
      const answer = await send();
      if (!this.#listing && !this.#answers.isOvertaken(flight, answer)) this.#learn(key, answer);
      return answer;
    } finally {
      this.#answers.end(key, flight);
    }
  }

  /** Takes over that the copy with this uid is gone. */
  forget(key: ObjectKey, uid: string | undefined): void {
    this.#remove(key, uid);
  }

  #learn(key: ObjectKey, copy: KubeObject): void {
    if (this.#entries.get(key)?.resourceVersion === copy.metadata.resourceVersion) return;
    if (this.#store(key, copy)) this.#answers.expect(key, copy.metadata.resourceVersion);
  }

  #observe(copy: KubeObject): void {
    const key = keyOf(copy);
    if (this.#answers.sawVersion(key, copy.metadata.resourceVersion)) return;
    const before = this.#entries.get(key);
    if (!this.#store(key, copy)) return this.#remove(key, undefined);
    const now = this.#entries.get(key);
    this.#tell(now);
    if (before && (before.origin !== now?.origin || before.source !== now.source)) this.#tell(before);
  }

  #observeDeletion(copy: KubeObject): void {
    const key = keyOf(copy);
    this.#answers.sawDeletion(key);
    this.#remove(key, copy.metadata.uid);
  }

  #store(key: ObjectKey, copy: KubeObject): boolean {
    const description = this.#rules.describe(copy);
    const { uid, resourceVersion, deletionTimestamp } = copy.metadata;
    const origin = description?.origin;
    if (!description || origin === undefined || !uid || !resourceVersion) return false;
    const digest = ownedDigest(copy, this.#rules.fieldManager);
    const known = this.#entries.get(key);
    const asked = known?.uid === uid && known.digest === digest ? known.asked : undefined;
    if (known) this.#tally(known.origin, -1);
    this.#tally(origin, 1);
    this.#entries.set(key, {
      ...description,
      origin,
      uid,
      resourceVersion,
      digest,
      terminating: deletionTimestamp !== undefined,
      asked,
      list: this.#list,
    });
    return true;
  }

  #remove(key: ObjectKey, uid: string | undefined): void {
    const entry = this.#entries.get(key);
    // An event of an earlier object under this name must not take away the one that stands there now.
    if (entry === undefined || (uid !== undefined && entry.uid !== uid)) return;
    this.#entries.delete(key);
    this.#tally(entry.origin, -1);
    this.#answers.forget(key);
    this.#tell(entry);
  }

  #startList(): void {
    this.#list += 1;
    this.#listing = true;
    this.#answers.sawList();
  }

  #finishList(): void {
    this.#listing = false;
    this.#answers.sawList();
    for (const [key, entry] of this.#entries) if (entry.list !== this.#list) this.#remove(key, undefined);
    this.#complete = true;
    for (const resolve of this.#whenComplete.splice(0)) resolve();
  }

  #tally(origin: string, by: number): void {
    const count = this.count(origin) + by;
    if (count > 0) this.#counts.set(origin, count);
    else this.#counts.delete(origin);
  }

  #tell(entry: Published | undefined): void {
    if (entry) for (const listener of this.#listeners.get(entry.origin) ?? []) listener(entry.source);
  }
}
