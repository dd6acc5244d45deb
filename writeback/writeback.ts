import type { Client } from '#kube/client.ts';
import type { Log } from '#kube/log.ts';
import { IdentityClaims } from '#mirror/identity-claims.ts';
import { Fleet } from '#mirror/fleet.ts';
import type { MirrorMetrics } from '#mirror/metrics.ts';
import { missingOnHub } from '#mirror/missing.ts';
import type { MirrorSettings } from '#mirror/mirror.ts';
import { Cell, type CellTarget } from '#writeback/cell.ts';
import { cellConditions } from '#writeback/cell-conditions.ts';
import type { CellStatus } from '#writeback/cell-status.ts';
import type { ConditionsOfCell } from '#writeback/condition-gauge.ts';
import { reflectorPace } from '#mirror/reflector-pace.ts';
import { createHubSide, type HubListener, type HubSide } from '#writeback/hub-side.ts';

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
  readonly #claims = new IdentityClaims();
  readonly #cells: Fleet<CellTarget, Cell>;

  constructor(options: WritebackOptions) {
    const { hub: client, openCell: open, settings, log } = options;
    this.#hub = createHubSide({ client, pace: reflectorPace(settings), log: log.child({ cluster: client.cluster }), ...this.#listener() });
    this.#cells = new Fleet((target) => new Cell({ ...options, target, hub: this.#hub, claims: this.#claims, open }), {
      clock: client.clock,
      log,
    });
  }

  /** Sets which cells there are (see `mirror/fleet.ts`). */
  setCells(targets: readonly CellTarget[]): void {
    this.#cells.set(targets);
  }

  /** Works until the signal aborts, and resolves when the writes in flight have ended. */
  async run(signal: AbortSignal): Promise<void> {
    const reports = this.#hub.reports.run(() => this.#cells.members, signal);
    await Promise.all([this.#hub.run(signal), reports, this.#cells.run(signal)]);
  }

  /** How everything stands. */
  status(): WritebackStatus {
    const { slices, namespaces } = this.#hub;
    const waitingFor = missingOnHub({ namespaces, 'copies of slices': slices });
    return { hubObserved: waitingFor.length === 0, waitingFor, cells: this.#cells.members.map((cell) => cell.status) };
  }

  /** The conditions of every cell, as its report has them or would. */
  conditions(): ConditionsOfCell[] {
    return this.#cells.members.map((cell) => ({ cell: cell.name, conditions: cellConditions(cell.facts()) }));
  }

  #listener(): HubListener {
    return {
      namespaceChanged: (namespace) => {
        for (const cell of this.#cells.members) cell.refresh(namespace);
      },
      reportChanged: (name) => {
        const report = this.#hub.reports.read(name);
        if (report.kind === 'present') this.#cells.members.find((cell) => cell.name === name)?.heed(report.object);
      },
    };
  }
}
