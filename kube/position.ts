import { isOlder } from '#kube/resource-version.ts';

/**
 * Where an observation of one collection stands: the version to resume from, and the epoch.
 * An epoch ends when the server shows a version before one that it has shown already: what was observed is then no longer its past.
 */
export class Position {
  #resume: string | undefined;
  #newest: string | undefined;
  #epoch = 1;
  #wentBack = false;
  #complete = false;

  /** `newest`: what an earlier observation of the same server has been shown. */
  constructor(newest?: string) {
    this.#newest = newest;
  }

  /** The version after which a watch goes on; undefined: only a complete list can tell. */
  get resume(): string | undefined {
    return this.#resume;
  }

  /** The newest version that was shown. */
  get newest(): string | undefined {
    return this.#newest;
  }

  get epoch(): number {
    return this.#epoch;
  }

  /** True from the moment the server was seen to go back until the next complete list. */
  get wentBack(): boolean {
    return this.#wentBack;
  }

  /** At least one complete list was seen in this epoch. */
  get complete(): boolean {
    return this.#complete;
  }

  /** True when the server has been seen before, so that it can have gone back. */
  get known(): boolean {
    return this.#newest !== undefined;
  }

  /** Compares with the present version of the collection, read with a quorum, which is shown from now on. True when the server went back. */
  compare(version: string): boolean {
    const isBack = this.#newest !== undefined && isOlder(version, this.#newest);
    this.#newest = version;
    if (!isBack) return false;
    this.#resume = undefined;
    this.#epoch += 1;
    this.#wentBack = true;
    this.#complete = false;
    return true;
  }

  /**
   * The collection has come at least as far as this version, as a list shows that need never be complete: by then the server may have gone
   * back. The version of an object in it says nothing: only those of the collection are compared.
   */
  show(version: string): void {
    if (this.#newest === undefined || isOlder(this.#newest, version)) this.#newest = version;
  }

  /** A complete list as of this version, which was compared, has been seen. */
  listed(version: string): void {
    this.advance(version);
    this.#wentBack = false;
    this.#complete = true;
  }

  /** Everything up to this version has been seen. */
  advance(version: string): void {
    this.#resume = version;
    this.#newest = version;
  }

  /** A complete list has to come first. */
  lose(): void {
    this.#resume = undefined;
  }
}
