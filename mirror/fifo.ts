/** Taken entries are cut off once there are this many and they are more than half: shifting an array of 100,000 each time is not cheap. */
const SLACK = 1024;

/** First in, first out, in constant time whatever the length. */
export class Fifo {
  #entries: string[] = [];
  #head = 0;

  /** Appends an entry. */
  push(entry: string): void {
    this.#entries.push(entry);
  }

  /** Takes the first entry that is still valid, and drops those before it; undefined when there is none. */
  take(valid: (entry: string) => boolean): string | undefined {
    while (this.#head < this.#entries.length) {
      const entry = this.#entries[this.#head++];
      if (entry !== undefined && valid(entry)) return this.#trimmed(entry);
    }
    this.#entries = [];
    this.#head = 0;
    return undefined;
  }

  #trimmed(entry: string): string {
    if (this.#head > SLACK && this.#head * 2 > this.#entries.length) {
      this.#entries = this.#entries.slice(this.#head);
      this.#head = 0;
    }
    return entry;
  }
}
