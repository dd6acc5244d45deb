import type { EndpointSlice } from '#api/objects.ts';
import type { Client } from '#kube/client.ts';
import { failureCode } from '#kube/errors.ts';
import type { Log } from '#kube/log.ts';
import { retry } from '#kube/retry.ts';
import type { IdentityClaims } from '#mirror/identity-claims.ts';
import type { MirrorMetrics } from '#mirror/metrics.ts';
import type { Observation } from '#mirror/observation.ts';
import { Mirror, type MirrorSettings } from '#mirror/mirror.ts';
import { reflectorPace } from '#mirror/reflector-pace.ts';
import { approveFrozen } from '#writeback/approval.ts';
import { type BoundCell, CellBinding } from '#writeback/cell-binding.ts';
import { CellLocation } from '#writeback/cell-location.ts';
import type { CellFacts } from '#writeback/cell-report.ts';
import { type CellSide, createCellSide } from '#writeback/cell-side.ts';
import { type CellStatus, cellStatus } from '#writeback/cell-status.ts';
import { attribute, type ClusterMemory, remember } from '#writeback/cluster-memory.ts';
import type { HubSide } from '#writeback/hub-side.ts';
import { deliveredTo, type Location, resolveLocation } from '#writeback/location.ts';
import type { ReportReading } from '#writeback/report-keeper.ts';
import { sliceRules } from '#writeback/slice-rules.ts';

/** A cell as configured. A paused one is observed and reported, and its copies stay as they are. */
export type CellTarget = { name: string; kubeconfig: string; context?: string; location?: string; paused?: boolean };

/** What a cell's work needs from around it. */
export type CellOptions = {
  target: CellTarget;
  hub: HubSide;
  claims: IdentityClaims;
  open: (cell: CellTarget, log: Log) => Promise<Client>;
  settings: MirrorSettings;
  metrics: MirrorMetrics;
  log: Log;
};

/** One bound connection to a cell, with what is watched there besides slices, and what is remembered of the cluster. */
type Plane = BoundCell & { side: CellSide; memory: ClusterMemory };

/** The lifetime of one cell's write-back: connect, bind its identity, find its location, mirror its slices. */
export class Cell {
  readonly #options: CellOptions;
  readonly #log: Log;
  readonly #binding: CellBinding;
  #side: CellSide | undefined;
  #mirror: Mirror<EndpointSlice> | undefined;
  readonly #location: CellLocation;
  /** Why it cannot be connected, as an error code. */
  #failure: string | undefined;
  /** By mirrors that have ended. */
  #withdrawn = 0;
  /** By cluster. */
  readonly #memories = new Map<string, ClusterMemory>();

  constructor(options: CellOptions) {
    this.#options = options;
    this.#log = options.log.child({ cell: options.target.name });
    const { hub, claims, target } = options;
    this.#binding = new CellBinding({ hub, claims, name: target.name, log: this.#log });
    this.#location = new CellLocation(this.#log);
  }

  /** The cell's name in the configuration. */
  get name(): string {
    return this.#options.target.name;
  }

  get #paused(): boolean {
    return this.#options.target.paused ?? false;
  }

  /** Works for the cell until the signal aborts, and resolves when its writes in flight have ended. */
  async run(signal: AbortSignal): Promise<void> {
    if (this.#paused) this.#log.warn({ reason: 'Paused' }, 'The cell is paused: its copies stay as they are');
    while (!signal.aborted) {
      const bound = this.#binding.begin(signal);
      this.#location.forget();
      await this.#connect(bound);
      this.#binding.end();
    }
  }

  /** Judges the slices of a namespace anew, because it changed on the hub or in the cell; without a name, all of them. */
  refresh(namespace?: string): void {
    this.#mirror?.refresh(namespace);
  }

  /** Everything that a report says of the cell. */
  facts(): CellFacts {
    const mirror = this.#mirror;
    return {
      observing: mirror?.observing ?? false,
      failure: mirror ? mirror.failure : this.#failure,
      ...this.#binding.facts,
      paused: this.#paused,
      location: this.#location.now,
      reading: mirror?.reading(),
      held: mirror?.held ?? [],
      withdrawn: this.#withdrawn + (mirror?.withdrawn ?? 0),
      completeAtMs: mirror?.completeAtMs,
      newestVersion: mirror?.newestVersion,
      frozen: mirror?.guard.frozen,
      frozenClockMs: this.#options.hub.client.clock.monotonicMs(),
    };
  }

  /** Does what an operator has written into the cell's report: approve a frozen set, pin it, or bind the name anew. */
  heed({ clusterUid, approve, hold }: ReportReading): void {
    this.#binding.heed(clusterUid);
    const guard = this.#mirror?.guard;
    guard?.pin(hold);
    const count = guard ? approveFrozen(guard, approve) : 0;
    if (count === 0) return;
    this.#log.warn({ reason: 'Approved', count }, 'An operator has approved the frozen withdrawals');
    this.#mirror?.lookAtFrozen();
  }

  /** How the cell stands. */
  get status(): CellStatus {
    return cellStatus(this.name, {
      ...this.facts(),
      listed: this.#mirror?.listed ?? false,
      reportsRead: this.#options.hub.reports.isSettled,
    });
  }

  async #connect(signal: AbortSignal): Promise<void> {
    const { target, open, hub } = this.#options;
    const { clock, random } = hub.client;
    const failed = (error: unknown) => void (this.#failure = failureCode(error));
    const pace = { signal, log: this.#log, clock, random, failed };
    const cell = await retry('Cannot open the cell', () => open(target, this.#log), pace);
    if (!cell) return;
    const bound = await this.#binding.bind(cell, signal, failed);
    this.#failure = undefined;
    if (bound) await this.#observe(bound, signal);
    await cell.transport.close();
  }

  async #observe(plane: BoundCell, signal: AbortSignal): Promise<void> {
    const { hub, settings } = this.#options;
    const { clusterUid, identity } = plane;
    const guards = { settings: settings.guard, random: hub.client.random };
    const memory = remember(this.#memories.get(clusterUid), clusterUid, { ...guards, recorded: this.#binding.recorded });
    this.#side = createCellSide({
      cell: plane.cell,
      pace: reflectorPace(settings),
      log: this.#log,
      namespaceChanged: (namespace) => this.refresh(namespace),
      locationsChanged: () => this.#locate(),
      wentBack: () => memory.guard.distrust(),
    });
    void hub.slices.untilComplete().then(() => this.#locate());
    await Promise.all([this.#side.run(signal), this.#mirrorWhereLocated({ ...plane, side: this.#side, memory }, signal)]);
    for (const each of attribute(memory, identity.observedUid, guards)) this.#memories.set(each.clusterUid, each);
  }

  #locate(): void {
    if (!this.#side) return;
    if (this.#location.found(this.#resolve(this.#side.deliveredLocations()))) this.refresh();
  }

  #resolve(delivered: Observation<string[]>): Location {
    const { target, hub } = this.#options;
    const published = hub.slices.complete ? hub.slices.originsOf(this.#binding.facts.observedUid ?? '') : undefined;
    return resolveLocation(deliveredTo(delivered, { configured: target.location, published }), target.location);
  }

  /**
   * One mirror for as long as the cell has the same location. While the location is unresolved that mirror goes on, and its
   * rules decide to keep everything; it ends only when another location is known.
   */
  async #mirrorWhereLocated(plane: Plane, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const location = this.#location.now;
      if (location.kind === 'resolved') await this.#mirrorAt(location.name, plane, signal);
      else await this.#location.untilChanged(signal);
    }
  }

  async #mirrorAt(location: string, { cell, side, memory, ...bound }: Plane, signal: AbortSignal): Promise<void> {
    const { hub, settings, metrics } = this.#options;
    const rules = sliceRules({
      ...{ location, ...bound, paused: this.#paused, cellNamespaces: side.namespaces, hubNamespaces: hub.namespaces },
      currentLocation: () => this.#location.now,
      readLocation: async (at) => this.#resolve(await side.readLocations(at)),
    });
    const log = this.#log.child({ controller: rules.controller, location });
    const { guard, newestVersion } = memory;
    this.#mirror = new Mirror({
      ...{ rules, source: cell, hub: hub.client, published: hub.slices, settings, metrics, log, guard, newestVersion },
    });
    const moved = new AbortController();
    const work = this.#mirror.run(AbortSignal.any([signal, moved.signal]));
    await this.#location.untilMoved(location, signal);
    moved.abort();
    await work;
    this.#withdrawn += this.#mirror.withdrawn;
    memory.newestVersion = this.#mirror.newestVersion ?? newestVersion;
    this.#mirror = undefined;
  }
}
