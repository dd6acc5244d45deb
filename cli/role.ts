import type { InForce } from '#cli/in-force.ts';
import { untilAborted } from '#kube/aborted.ts';

/** What does a role's work for the planes that it was given last. */
export type Engine<P, S> = {
  set(planes: readonly P[]): void;
  /** Works until the signal aborts, and resolves when the writes in flight have ended. */
  run(signal: AbortSignal): Promise<void>;
  status(): S;
};

/**
 * One part of the work, which begins with its first plane. Until then nothing is read on the hub for it, so that a process that
 * is to do the other parts only needs neither its rights nor its CRDs.
 */
export class Role<P, S> {
  readonly #planes: InForce<readonly P[]>;
  readonly #engine: Engine<P, S>;
  #needed = false;

  constructor(planes: InForce<readonly P[]>, engine: Engine<P, S>) {
    this.#planes = planes;
    this.#engine = engine;
  }

  /** How the work stands; undefined while there is none. */
  get status(): S | undefined {
    return this.#needed ? this.#engine.status() : undefined;
  }

  /** Works until the signal aborts, from the first plane on; it goes on when the last plane has left. */
  async run(signal: AbortSignal): Promise<void> {
    const begin = new AbortController();
    this.#planes.giveTo((planes) => {
      if (planes.length > 0) begin.abort();
      this.#needed ||= planes.length > 0;
    });
    await Promise.race([untilAborted(begin.signal), untilAborted(signal)]);
    if (signal.aborted) return;
    this.#planes.giveTo((planes) => this.#engine.set(planes));
    await this.#engine.run(signal);
  }
}
