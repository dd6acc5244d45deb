import type { Client } from '#kube/client.ts';
import type { Log } from '#kube/log.ts';
import { Fleet } from '#mirror/fleet.ts';
import type { MirrorMetrics } from '#mirror/metrics.ts';
import { missingOnHub } from '#mirror/missing.ts';
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
export type WritebackStatus = {
  hubObserved: boolean;
  /** What of the hub is not observed yet. */
  waitingFor: string[];
  cells: CellStatus[];
};

/** The write-back of every configured cell to one hub. */
export class Writeback {
  readonly #hub: HubSide;
  readonly #cells: Fleet<CellTarget, Cell>;

  constructor(options: WritebackOptions) {
    const { hub: client, openCell: open, settings, log } = options;
    const namespaceChanged = (namespace: string) => this.#refresh(namespace);
    this.#hub = createHubSide({ client, idleMs: settings.idleMs, log: log.child({ cluster: client.cluster }), namespaceChanged });
    this.#cells = new Fleet((target) => new Cell({ ...options, target, hub: this.#hub, open }), log);
  }

  /** Sets which cells there are (see `mirror/fleet.ts`). */
  setCells(targets: readonly CellTarget[]): void {
    this.#cells.set(targets);
  }

  /** Works until the signal aborts, and resolves when the writes in flight have ended. */
  async run(signal: AbortSignal): Promise<void> {
    await Promise.all([this.#hub.run(signal), this.#cells.run(signal)]);
  }

  /** How everything stands. */
  status(): WritebackStatus {
    const { slices, namespaces } = this.#hub;
    const waitingFor = missingOnHub({ namespaces, 'copies of slices': slices });
    return { hubObserved: waitingFor.length === 0, waitingFor, cells: this.#cells.members.map((cell) => cell.status) };
  }

  #refresh(namespace: string): void {
    for (const cell of this.#cells.members) cell.refresh(namespace);
  }
}
