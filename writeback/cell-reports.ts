import { isDeepStrictEqual } from 'node:util';
import { APPROVE_FROZEN, HOLD_FROZEN } from '#api/keys.ts';
import { WRITEBACK_FIELD_MANAGER } from '#api/field-managers.ts';
import type { CellReport, CellReportStatus, KubeObject } from '#api/objects.ts';
import { CELL_REPORTS } from '#api/resources.ts';
import { applyObject } from '#kube/apply.ts';
import type { Client } from '#kube/client.ts';
import type { Log } from '#kube/log.ts';
import { Reflector, type ReflectorPace } from '#kube/reflector.ts';
import type { Observation } from '#mirror/observation.ts';
import { ReducedStore } from '#mirror/reduced-store.ts';
import { type CellFacts, cellReportStatus } from '#writeback/cell-report.ts';

/** Between two renewals. A reader takes a report for expired after four of them (contract section 5). */
const RENEW_MS = 15_000;
/** How often a change of a condition, which is not left until the next renewal, is looked for. */
const LOOK_MS = 1_000;

/** What is read of a report: the binding, an operator's word, and what it said last. */
export type ReportReading = {
  clusterUid: string | undefined;
  approve: string | undefined;
  hold: boolean;
  status: CellReportStatus | undefined;
};

/** What the reports need to know of a cell, and whom they tell of an operator's word. */
export type ReportedCell = { name: string; facts(): CellFacts; heed(report: ReportReading): void };

/** The reports of all cells on the hub: written for operators, and read for what operators write into them. */
export class CellReports {
  readonly #hub: Client;
  readonly #log: Log;
  readonly #reflector: Reflector<KubeObject>;
  readonly #known: ReducedStore<ReportReading>;
  /** When each report was last renewed, by the monotonic clock. */
  readonly #renewedMs = new Map<string, number>();
  readonly #settled = Promise.withResolvers<void>();

  constructor(options: { hub: Client; pace: ReflectorPace; log: Log; changed: (cell: string) => void }) {
    const { hub: client, pace, log } = options;
    this.#hub = client;
    this.#log = log;
    this.#known = new ReducedStore({ reduce: readReport, changed: options.changed, settled: () => this.#settled.resolve() });
    this.#reflector = new Reflector({ client, resource: CELL_REPORTS, handler: this.#known.handler, ...pace, log });
  }

  /** True once it is known what the hub has recorded. */
  get isSettled(): boolean {
    return this.#known.complete || this.#known.unserved;
  }

  /** Resolves once it is known what the hub has recorded, or that the hub does not serve reports. */
  get settled(): Promise<void> {
    return this.#settled.promise;
  }

  /** What the hub has recorded of a cell; absent too where it does not serve reports. */
  read(cell: string): Observation<ReportReading> {
    return this.#known.unserved ? { kind: 'absent', evidence: 'weak' } : this.#known.get(cell);
  }

  /** Keeps the report of every cell until the signal aborts. A hub without the kind is left alone. */
  async run(cells: () => readonly ReportedCell[], signal: AbortSignal): Promise<void> {
    const { clock } = this.#hub;
    const keep = async () => {
      while (!signal.aborted) {
        if (this.#known.complete) await Promise.all(cells().map((cell) => this.#keep(cell, signal)));
        await clock.sleep(LOOK_MS, signal);
      }
    };
    await Promise.all([this.#reflector.run(signal), keep()]);
  }

  /** A report that cannot be written is no reason to stop anything: its age tells. */
  async #keep(cell: ReportedCell, signal: AbortSignal): Promise<void> {
    try {
      const known = this.#known.get(cell.name);
      const before = known.kind === 'present' ? known.object : undefined;
      if (before) cell.heed(before);
      const facts = cell.facts();
      await this.#bind(cell.name, { before, facts, signal });
      const status = cellReportStatus(facts, before?.status, this.#hub.clock.wallMs());
      if (!this.#isDue(cell.name) && isDeepStrictEqual(status.conditions, before?.status?.conditions)) return;
      this.#renewedMs.set(cell.name, this.#hub.clock.monotonicMs());
      if (!isDeepStrictEqual(status, before?.status))
        await this.#apply({ metadata: { name: cell.name }, status }, { signal, subresource: 'status' });
    } catch (error) {
      if (!signal.aborted) this.#log.warn({ cell: cell.name, err: error }, 'Cannot renew the report of a cell');
    }
  }

  #isDue(cell: string): boolean {
    return this.#hub.clock.monotonicMs() - (this.#renewedMs.get(cell) ?? -Infinity) >= RENEW_MS;
  }

  /** The binding is recorded once; afterwards it is an operator's to change. */
  async #bind(
    name: string,
    { before, facts, signal }: { before: ReportReading | undefined; facts: CellFacts; signal: AbortSignal },
  ): Promise<void> {
    const uid = facts.identity.kind === 'bound' ? facts.identity.uid : undefined;
    if (before !== undefined && (before.clusterUid !== undefined || uid === undefined)) return;
    await this.#apply({ metadata: { name }, ...(uid !== undefined && { spec: { clusterUID: uid } }) }, { signal });
  }

  async #apply(report: CellReport, options: { signal: AbortSignal; subresource?: 'status' }): Promise<void> {
    const object = { apiVersion: `${CELL_REPORTS.group}/${CELL_REPORTS.version}`, kind: CELL_REPORTS.kind, ...report };
    await applyObject<CellReport>(this.#hub, object, {
      ...options,
      resource: CELL_REPORTS,
      fieldManager: WRITEBACK_FIELD_MANAGER,
      force: true,
      priority: 'live',
    });
  }
}

function readReport(object: KubeObject): ReportReading {
  const { metadata, spec, status }: CellReport = object;
  return {
    clusterUid: spec?.clusterUID,
    approve: metadata.annotations?.[APPROVE_FROZEN],
    hold: metadata.annotations?.[HOLD_FROZEN] === 'true',
    status,
  };
}
