import { APPROVE_FROZEN, HOLD_FROZEN } from '#api/keys.ts';
import type { CellReport, KubeObject } from '#api/objects.ts';
import { CELL_REPORTS } from '#api/resources.ts';
import type { Client } from '#kube/client.ts';
import { isApiError, isNotFound } from '#kube/errors.ts';
import { getObject } from '#kube/get.ts';
import type { Log } from '#kube/log.ts';
import { Reflector, type ReflectorPace } from '#kube/reflector.ts';
import type { Observation } from '#mirror/observation.ts';
import { ReducedStore } from '#mirror/reduced-store.ts';
import { type ReportedCell, ReportKeeper, type ReportReading } from '#writeback/report-keeper.ts';

/** How often a change of a condition, which is not left until the next renewal, is looked for. */
const LOOK_MS = 1_000;

/** The reports of all cells on the hub: written for operators, and read for what operators write into them. */
export class CellReports {
  readonly #hub: Client;
  readonly #log: Log;
  readonly #reflector: Reflector<KubeObject>;
  readonly #known: ReducedStore<ReportReading>;
  /** One for each cell, for as long as there is that cell. */
  readonly #keepers = new WeakMap<ReportedCell, ReportKeeper>();
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

  /**
   * What the hub has recorded of a cell by now, read live: what was listed or watched may lack one report. Undefined where there is none,
   * or where no reports are served, as was so when they were to be listed.
   * @throws {ApiError} where the hub cannot say.
   */
  async look(cell: string, signal: AbortSignal): Promise<ReportReading | undefined> {
    const report = await this.#known.read(cell, () => this.#read(cell, signal));
    return report && readReport(report);
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

  async #read(cell: string, signal: AbortSignal): Promise<CellReport | undefined> {
    try {
      return await getObject<CellReport>(this.#hub, { resource: CELL_REPORTS, name: cell }, { signal, priority: 'live' });
    } catch (error) {
      if (isNotFound(error) || (this.#known.unserved && isApiError(error, 'NotServed'))) return undefined;
      throw error;
    }
  }

  async #keep(cell: ReportedCell, signal: AbortSignal): Promise<void> {
    const known = this.#known.get(cell.name);
    await this.#keeperOf(cell).keep(known.kind === 'present' ? known.object : undefined, signal);
  }

  #keeperOf(cell: ReportedCell): ReportKeeper {
    const before = this.#keepers.get(cell);
    if (before) return before;
    const look = (signal: AbortSignal) => this.look(cell.name, signal);
    const keeper = new ReportKeeper({ hub: this.#hub, cell, look, log: this.#log });
    this.#keepers.set(cell, keeper);
    return keeper;
  }
}

function readReport(object: KubeObject): ReportReading {
  const { metadata, spec, status }: CellReport = object;
  return {
    uid: metadata.uid,
    resourceVersion: metadata.resourceVersion,
    generation: metadata.generation,
    clusterUid: spec?.clusterUID,
    approve: metadata.annotations?.[APPROVE_FROZEN],
    hold: metadata.annotations?.[HOLD_FROZEN] === 'true',
    status,
  };
}
