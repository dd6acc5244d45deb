import { isDeepStrictEqual } from 'node:util';
import { untilAborted } from '#kube/aborted.ts';
import type { Clock } from '#kube/clock.ts';
import type { Log } from '#kube/log.ts';

/** A plane as configured; the name is its identity in a fleet. */
export type Target = { name: string };

/** The work for one plane. `run` resolves when the signal has aborted and its writes in flight have ended. */
export type Member = { run(signal: AbortSignal): Promise<void> };

/** Between a fault that nobody foresaw and the next try. */
const AFTER_FAULT_MS = 15_000;

type Running<T, M> = { target: T; member: M; stop: AbortController; ended: Promise<void> };

/** The planes that are worked for. They come and go while the service runs, and none waits for another. */
export class Fleet<T extends Target, M extends Member> {
  readonly #create: (target: T) => M;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #running = new Map<string, Running<T, M>>();
  /** All work that has not ended, that of members that left included. */
  readonly #work = new Set<Promise<void>>();
  #targets: readonly T[] = [];
  #signal: AbortSignal | undefined;

  constructor(create: (target: T) => M, { clock, log }: { clock: Clock; log: Log }) {
    this.#create = create;
    this.#clock = clock;
    this.#log = log;
  }

  /** The members that are at work. */
  get members(): M[] {
    return [...this.#running.values()].map(({ member }) => member);
  }

  /**
   * Sets which planes there are. One that left is stopped at once, and its copies stay as they are: a configuration may be
   * wrong. One that changed is stopped and started anew.
   */
  set(targets: readonly T[]): void {
    this.#targets = targets;
    if (!this.#signal || this.#signal.aborted) return;
    for (const { target, stop } of this.#running.values()) {
      if (stop.signal.aborted || targets.some((other) => isDeepStrictEqual(other, target))) continue;
      stop.abort();
      this.#log.info({ cell: target.name }, 'A plane left the configuration, or changed in it');
    }
    for (const target of targets) this.#start(target, this.#signal);
  }

  /** Works until the signal aborts, and resolves when all work has ended. */
  async run(signal: AbortSignal): Promise<void> {
    this.#signal = signal;
    this.set(this.#targets);
    await untilAborted(signal);
    await Promise.all(this.#work);
  }

  #start(target: T, signal: AbortSignal): void {
    const before = this.#running.get(target.name);
    if (before && !before.stop.signal.aborted) return;
    const stop = new AbortController();
    const member = this.#create(target);
    // Two runs for one plane must never overlap: the old one may still have a write in flight.
    const ended = (before?.ended ?? Promise.resolve()).then(() => this.#keep(target.name, member, AbortSignal.any([signal, stop.signal])));
    const running = { target, member, stop, ended };
    this.#running.set(target.name, running);
    this.#work.add(ended);
    void ended.finally(() => this.#end(running));
  }

  /** A fault in the work for one plane must not end the others': it is told, and the plane's work begins anew. */
  async #keep(name: string, member: M, signal: AbortSignal): Promise<void> {
    for (let faulty = true; faulty; ) {
      try {
        await member.run(signal);
        faulty = false;
      } catch (error) {
        this.#log.error({ cell: name, err: error }, 'The work for a plane failed in a way that nobody foresaw');
        await this.#clock.sleep(AFTER_FAULT_MS, signal);
        faulty = !signal.aborted;
      }
    }
  }

  #end(running: Running<T, M>): void {
    this.#work.delete(running.ended);
    if (this.#running.get(running.target.name) === running) this.#running.delete(running.target.name);
  }
}
