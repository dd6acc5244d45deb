/** What the configuration says now of one thing. It may change while nobody can take it yet: nothing of that is lost. */
export class InForce<T> {
  #value: T;
  #taker: ((value: T) => void) | undefined;

  constructor(value: T) {
    this.#value = value;
  }

  /** What is in force. */
  get value(): T {
    return this.#value;
  }

  /** Puts something else in force. */
  change(value: T): void {
    this.#value = value;
    this.#taker?.(value);
  }

  /** Gives what is in force, and every change from now on, to this taker and to no earlier one. */
  giveTo(taker: (value: T) => void): void {
    this.#taker = taker;
    taker(this.#value);
  }
}
