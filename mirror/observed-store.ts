import type { Evidence } from '#mirror/observation.ts';
import { joinKey, type ObjectKey, splitKey } from '#mirror/object-key.ts';

/** All that is kept of a source: the digest of the copy that it called for when last judged, none when it called for none. */
type Seen = { digest: string | undefined; round: number };

/**
 * One look at a source that takes time, and whether an event about it came meanwhile: then the event's word stands. `round`: the one that had
 * begun last when the look began; what was seen says nothing of a later one.
 */
export type Glance = { overtaken: boolean; readonly round: number };

/**
 * Which sources one plane holds, as its list and watch told it; digests only (design section 4).
 * Lists and sweeps are rounds, numbered as they begin. Whatever shows a source marks it with the round that had begun last: what was known
 * before a list and was not shown since it began is absent on weak evidence.
 */
export class ObservedStore {
  /** By namespace, so that a namespace that changes finds its keys without a search. */
  readonly #namespaces = new Map<string, Map<string, Seen>>();
  /** Keys whose deletion was seen as an event and not yet acted on. */
  readonly #deleted = new Set<ObjectKey>();
  readonly #glances = new Map<ObjectKey, Glance>();
  /** The round that has begun last, and the one that was the last list. */
  #round = 0;
  #list = 0;
  #complete = false;
  #completeAtMs: number | undefined;
  #size = 0;

  /** True once a full list has ended, and until a list begins in a new epoch. */
  get complete(): boolean {
    return this.#complete;
  }

  /** When a complete observation last ended, in milliseconds since the epoch. */
  get completeAtMs(): number | undefined {
    return this.#completeAtMs;
  }

  /** A complete observation has ended: a list, or a sweep. */
  observedInFull(nowMs: number): void {
    this.#completeAtMs = nowMs;
  }

  /** How many sources are known to be there. */
  get size(): number {
    return this.#size;
  }

  /** The number of the list or sweep that has begun last. */
  get round(): number {
    return this.#round;
  }

  /** Begins a list. In a new epoch nothing known counts as complete until the list has ended. */
  listStarted(newEpoch: boolean): void {
    this.#list = this.roundStarted();
    if (newEpoch) this.#complete = false;
  }

  /** Begins a round: a sweep, or, by `listStarted`, a list. @returns its number. */
  roundStarted(): number {
    this.#round += 1;
    return this.#round;
  }

  /** True when the source was shown since that round began. */
  wasSeenIn(round: number, key: ObjectKey): boolean {
    return (this.#get(key)?.round ?? -1) >= round;
  }

  /** Ends a list. @returns the keys that were known and were not in it. They are forgotten here, as absent on weak evidence. */
  listCompleted(): ObjectKey[] {
    const missing = [...this.keys()].filter((key) => !this.wasSeenIn(this.#list, key));
    for (const key of missing) this.#remove(key);
    this.#complete = true;
    return missing;
  }

  /** Begins a look at a source; one at a time for each key. */
  glance(key: ObjectKey): Glance {
    const glance = { overtaken: false, round: this.#round };
    this.#glances.set(key, glance);
    return glance;
  }

  /** Ends it. */
  endGlance(key: ObjectKey): void {
    this.#glances.delete(key);
  }

  /** Notes what an event or a list said: the source is there, calling for a copy of this digest. `round`: as in `note`. */
  present(key: ObjectKey, digest: string | undefined, round = this.#round): void {
    this.#overtake(key);
    this.note(key, digest, round);
  }

  /** Notes what a look at the source said. `round`: the one that had begun when it was seen, 0 where it was seen no more than before. */
  note(key: ObjectKey, digest: string | undefined, round: number): void {
    const { namespace = '', name } = splitKey(key);
    const names = this.#namespaces.get(namespace) ?? new Map<string, Seen>();
    this.#namespaces.set(namespace, names);
    if (!names.has(name)) this.#size += 1;
    names.set(name, { digest, round: Math.max(round, names.get(name)?.round ?? 0) });
    this.#deleted.delete(key);
  }

  /** What the source calls for is to be found out anew. That it is there was not seen once more: a list under way may still miss it. */
  forgetDigest(key: ObjectKey): void {
    this.#overtake(key);
    const seen = this.#get(key);
    if (seen) seen.digest = undefined;
  }

  /** Notes that the source's deletion was seen. */
  deleted(key: ObjectKey): void {
    this.#overtake(key);
    this.#remove(key);
    this.#deleted.add(key);
  }

  /** Takes the source for gone until a live read has spoken: a sweep did not see it. */
  doubt(key: ObjectKey): void {
    this.#remove(key);
  }

  /** True when the source is known to be there. */
  has(key: ObjectKey): boolean {
    return this.#get(key) !== undefined;
  }

  /** The digest of the copy the source called for when last judged. */
  digestOf(key: ObjectKey): string | undefined {
    return this.#get(key)?.digest;
  }

  /** How sure the absence of a key is, should a live read confirm it. */
  evidence(key: ObjectKey): Evidence {
    return this.#deleted.has(key) ? 'strong' : 'weak';
  }

  /** The absence of the key has been acted on: its evidence is spent. */
  settleAbsence(key: ObjectKey): void {
    this.#deleted.delete(key);
  }

  /** Every key known to be there; of one namespace where it is given. */
  *keys(namespace?: string): Generator<ObjectKey> {
    const spaces = namespace === undefined ? this.#namespaces.keys() : [namespace];
    for (const space of spaces) for (const name of this.#namespaces.get(space)?.keys() ?? []) yield joinKey(space, name);
  }

  #overtake(key: ObjectKey): void {
    const glance = this.#glances.get(key);
    if (glance) glance.overtaken = true;
  }

  #get(key: ObjectKey): Seen | undefined {
    const { namespace = '', name } = splitKey(key);
    return this.#namespaces.get(namespace)?.get(name);
  }

  #remove(key: ObjectKey): void {
    const { namespace = '', name } = splitKey(key);
    const names = this.#namespaces.get(namespace);
    if (!names?.delete(name)) return;
    this.#size -= 1;
    if (names.size === 0) this.#namespaces.delete(namespace);
  }
}
