import { isDeepStrictEqual } from 'node:util';
import { untilAborted } from '#kube/aborted.ts';
import type { Log } from '#kube/log.ts';
import type { Location } from '#writeback/location.ts';

const UNREAD: Location = { kind: 'unresolved', reason: 'LocationUnread' };

/** The location of one cell as it is known now (`location.ts` finds it), for those who wait for another one. */
export class CellLocation {
  readonly #log: Log;
  #now = UNREAD;
  #changed = new AbortController();

  constructor(log: Log) {
    this.#log = log;
  }

  get now(): Location {
    return this.#now;
  }

  /** Voids what was learned: it says nothing of the cluster that is found next. */
  forget(): void {
    this.#now = UNREAD;
  }

  /** Takes over what was found, and says it in the log. @returns whether it is news. */
  found(now: Location): boolean {
    if (isDeepStrictEqual(now, this.#now)) return false;
    this.#now = now;
    this.#tell(now);
    this.#changed.abort();
    this.#changed = new AbortController();
    return true;
  }

  /** Resolves at the next change, or when the signal aborts. */
  async untilChanged(signal: AbortSignal): Promise<void> {
    await Promise.race([untilAborted(signal), untilAborted(this.#changed.signal)]);
  }

  /** Resolves when another location than this one is known, or the signal aborts. One that is no longer known is not another one. */
  async untilMoved(from: string, signal: AbortSignal): Promise<void> {
    while (!signal.aborted && !(this.#now.kind === 'resolved' && this.#now.name !== from)) await this.untilChanged(signal);
  }

  #tell(location: Location): void {
    if (location.kind === 'unresolved') return this.#log.warn({ reason: location.reason }, 'The location of the cell is not known');
    this.#log.info({ location: location.name, reason: location.from }, 'The location of the cell is known');
    if (location.overruled)
      this.#log.warn({ location: location.name, reason: 'LocationMismatch' }, 'The delivered location overrules the configured one');
  }
}
