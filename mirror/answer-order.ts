import type { KubeObject } from '#api/objects.ts';
import type { ObjectKey } from '#mirror/object-key.ts';

/** One request under way, the versions that its answer may have and that are not news, and whether no answer would be. */
export type Flight = { versions: Set<string>; overtaken: boolean };

/**
 * Orders answers to our own requests against the events of the watch, without comparing resourceVersions.
 * After an answer, events are of the past until the one with the answered version has come. A watch shows every version in
 * order, so that one does come, unless it came before the answer did: hence what was known when the request began, and what
 * was seen while it was under way, is noted. A list skips versions: no answer is believed that was under way meanwhile.
 */
export class AnswerOrder {
  readonly #flights = new Map<ObjectKey, Set<Flight>>();
  readonly #expected = new Map<ObjectKey, string>();

  /** Begins to note what the watch shows of this key. `known`: the version that is known now. */
  begin(key: ObjectKey, known: string | undefined): Flight {
    const flight: Flight = { versions: new Set(known === undefined ? [] : [known]), overtaken: false };
    this.#flights.set(key, (this.#flights.get(key) ?? new Set()).add(flight));
    return flight;
  }

  /** Ends it. */
  end(key: ObjectKey, flight: Flight): void {
    const flights = this.#flights.get(key);
    flights?.delete(flight);
    if (flights?.size === 0) this.#flights.delete(key);
  }

  /** True when the watch already showed the answered version, a deletion or a list: what it showed last is at least as new, or will be. */
  isOvertaken(flight: Flight, answer: KubeObject): boolean {
    return flight.overtaken || flight.versions.has(answer.metadata.resourceVersion ?? '');
  }

  /** Until the watch has shown this version, what it shows is older than what is known. */
  expect(key: ObjectKey, version: string | undefined): void {
    if (version) this.#expected.set(key, version);
  }

  /** Notes a version that the watch shows. @returns true when it is older than what is known. */
  sawVersion(key: ObjectKey, version: string | undefined): boolean {
    for (const flight of this.#flights.get(key) ?? []) if (version) flight.versions.add(version);
    const expected = this.#expected.get(key);
    if (expected === version) this.#expected.delete(key);
    return expected !== undefined && expected !== version;
  }

  /** Notes a deletion that the watch shows. */
  sawDeletion(key: ObjectKey): void {
    for (const flight of this.#flights.get(key) ?? []) flight.overtaken = true;
  }

  /** Expects nothing of this key any more. */
  forget(key: ObjectKey): void {
    this.#expected.delete(key);
  }

  /** Notes that a list began or ended: the versions that it skipped never come. */
  sawList(): void {
    this.#expected.clear();
    for (const flights of this.#flights.values()) for (const flight of flights) flight.overtaken = true;
  }
}
