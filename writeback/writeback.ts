import { isDeepStrictEqual } from 'node:util';
import { untilAborted } from '#kube/aborted.ts';
import type { Client } from '#kube/client.ts';
import type { Log } from '#kube/log.ts';
import type { MirrorMetrics } from '#mirror/metrics.ts';
import type { MirrorSettings } from '#mirror/mirror.ts';
import { Cell, type CellStatus, type CellTarget } from '#writeback/cell.ts';
import { createHubSide, type HubSide } from '#writeback/hub-side.ts';

/** What the write-back needs from the command line's side. */
export type WritebackOptions = {
  hub: Client;
  openCell: (cell: CellTarget, log: Log) => Promise<Client>;
  settings: MirrorSettings;
  log: Log;
  metrics: MirrorMetrics;
};

/** How the write-back stands. */
export type WritebackStatus = { hubObserved: boolean; cells: CellStatus[] };

type Running = { target: CellTarget; cell: Cell; stop: AbortController; ended: Promise<void> };

/** The write-back of every configured cell to one hub. Cells come and go while it runs, and none waits for another. */
export class Writeback {
  readonly #options: WritebackOptions;
  readonly #hub: HubSide;
  readonly #running = new Map<string, Running>();
  /** Work of cells that left, not yet ended. */
  readonly #leaving = new Set<Promise<void>>();
  #targets: CellTarget[] = [];
  #signal: AbortSignal | undefined;

  constructor(options: WritebackOptions) {
    this.#options = options;
    const { hub: client, settings, log } = options;
    const namespaceChanged = (name: string) => this.#refresh(name);
    this.#hub = createHubSide({ client, idleMs: settings.idleMs, log: log.child({ cluster: client.cluster }), namespaceChanged });
  }

  /**
   * Sets which cells there are. A cell that left is stopped at once and its copies stay as they are (a configuration may be
   * wrong); one that changed is stopped and started anew.
   */
  setCells(targets: CellTarget[]): void {
    this.#targets = targets;
    if (!this.#signal || this.#signal.aborted) return;
    for (const { target, stop } of this.#running.values()) {
      if (targets.some((other) => isDeepStrictEqual(other, target))) continue;
      stop.abort();
      this.#options.log.info({ cell: target.name }, 'A cell left the configuration, or changed in it');
    }
    for (const target of targets) this.#start(target, this.#signal);
  }

  /** Works until the signal aborts, and resolves when the writes in flight have ended. */
  async run(signal: AbortSignal): Promise<void> {
    this.#signal = signal;
    const hub = this.#hub.run(signal);
    this.setCells(this.#targets);
    await untilAborted(signal);
    await Promise.all([hub, ...this.#leaving, ...[...this.#running.values()].map(({ ended }) => ended)]);
  }

  /** How everything stands. */
  status(): WritebackStatus {
    const hubObserved = this.#hub.slices.complete && this.#hub.namespaces.complete;
    return { hubObserved, cells: [...this.#running.values()].map(({ cell }) => cell.status) };
  }

  #start(target: CellTarget, signal: AbortSignal): void {
    const before = this.#running.get(target.name);
    if (before && !before.stop.signal.aborted) return;
    const stop = new AbortController();
    const { openCell: open, ...rest } = this.#options;
    const cell = new Cell({ ...rest, target, hub: this.#hub, open });
    // Two runs for one cell must never overlap: the old one may still have a write in flight.
    const ended = (before?.ended ?? Promise.resolve()).then(() => cell.run(AbortSignal.any([signal, stop.signal])));
    const running = { target, cell, stop, ended };
    this.#running.set(target.name, running);
    this.#leaving.add(ended);
    void ended.finally(() => {
      this.#leaving.delete(ended);
      if (this.#running.get(target.name) === running) this.#running.delete(target.name);
    });
  }

  #refresh(namespace: string): void {
    for (const { cell } of this.#running.values()) cell.refresh(namespace);
  }
}
