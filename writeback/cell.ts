import type { EndpointSlice } from '#api/objects.ts';
import { untilAborted } from '#kube/aborted.ts';
import type { Client } from '#kube/client.ts';
import type { Log } from '#kube/log.ts';
import { retry } from '#kube/retry.ts';
import { ClusterIdentity } from '#mirror/cluster-identity.ts';
import { claimOrGiveWay } from '#mirror/give-way.ts';
import type { IdentityClaims } from '#mirror/identity-claims.ts';
import type { MirrorMetrics } from '#mirror/metrics.ts';
import type { Observation } from '#mirror/observation.ts';
import { Mirror, type MirrorSettings } from '#mirror/mirror.ts';
import { reflectorPace } from '#mirror/reflector-pace.ts';
import { approveFrozen } from '#writeback/approval.ts';
import { isBoundOtherwise } from '#writeback/binding.ts';
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

/** One connection to a cell, bound to its identity. */
type Plane = {
  cell: Client;
  identity: ClusterIdentity;
  clusterUid: string;
  formerClusters: ReadonlySet<string>;
  side: CellSide;
  memory: ClusterMemory;
};

/** The lifetime of one cell's write-back: connect, bind its identity, find its location, mirror its slices. */
export class Cell {
  readonly #options: CellOptions;
  readonly #log: Log;
  #identity: ClusterIdentity | undefined;
  #side: CellSide | undefined;
  #mirror: Mirror<EndpointSlice> | undefined;
  readonly #location: CellLocation;
  /** By mirrors that have ended. */
  #withdrawn = 0;
  /** By cluster. */
  readonly #memories = new Map<string, ClusterMemory>();
  #bindAnew = new AbortController();
  /** The clusters that this run has bound the name to with an operator's consent. */
  readonly #boundUids = new Set<string>();
  /** The name that the cluster was known under first, while this one gives way to it. */
  #gaveWayTo: string | undefined;

  constructor(options: CellOptions) {
    this.#options = options;
    this.#log = options.log.child({ cell: options.target.name });
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
      this.#bindAnew = new AbortController();
      this.#location.forget();
      await this.#connect(AbortSignal.any([signal, this.#bindAnew.signal]));
      this.#options.claims.release(this.name);
      this.#identity = undefined;
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
      // While the name is bound anew, what was found of its cluster is over, and nothing else is known yet.
      identity: (this.#bindAnew.signal.aborted ? undefined : this.#identity?.state) ?? { kind: 'unbound', reason: 'IdentityUnread' },
      paused: this.#paused,
      observedUid: this.#identity?.observedUid,
      sharedWith: this.#gaveWayTo,
      boundUids: [...this.#boundUids],
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
    if (isBoundOtherwise(this.#identity?.state, clusterUid, { givesWay: this.#gaveWayTo !== undefined })) this.#leave();
    const guard = this.#mirror?.guard;
    guard?.pin(hold);
    const count = guard ? approveFrozen(guard, approve) : 0;
    if (count === 0) return;
    this.#log.warn({ reason: 'Approved', count }, 'An operator has approved the frozen withdrawals');
    this.#mirror?.lookAtFrozen();
  }

  /** Nothing more is written for the cluster that the name was bound to, by what is under way neither. */
  #leave(): void {
    this.#identity?.fence();
    this.#bindAnew.abort();
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
    const pace = { signal, log: this.#log, clock, random };
    const cell = await retry('Cannot open the cell', () => open(target, this.#log), pace);
    if (!cell) return;
    const identity = new ClusterIdentity(cell);
    const clusterUid = await retry('Cannot bind the identity of the cell', () => this.#bind(identity, signal), pace);
    const bindAnew = this.#bindAnew;
    void identity.untilReturned(signal).then(() => bindAnew.abort());
    const formerClusters = new Set(
      [...(this.#report?.status?.boundClusterUIDs ?? []), ...this.#boundUids].filter((uid) => uid !== clusterUid),
    );
    if (clusterUid !== undefined) await this.#observe({ cell: identity.client, identity, clusterUid, formerClusters }, signal);
    await cell.transport.close();
  }

  /** Binds to what the hub has recorded, and gives way to another name that stands for the same cluster. */
  async #bind(identity: ClusterIdentity, signal: AbortSignal): Promise<string> {
    const { hub, claims } = this.#options;
    await Promise.race([hub.reports.settled, untilAborted(signal)]);
    // Read when the cell has answered: another run of the service may have recorded a cluster meanwhile.
    const uid = await identity.bind(signal, () => this.#report?.clusterUid);
    this.#identity = identity;
    const claim = { claims, name: this.name, uid, clock: hub.client.clock, signal, bindAnew: this.#bindAnew };
    // The cluster that a fenced name has led to is another name's, which must not give way to a mistake.
    const owner = identity.state.kind === 'bound' ? claimOrGiveWay(identity, claim) : this.name;
    this.#gaveWayTo = owner === this.name ? undefined : owner;
    // What is bound without a record may turn out to be another name's cluster.
    if (identity.state.kind === 'bound' && this.#report) this.#boundUids.add(uid);
    if (identity.state.kind === 'unbound')
      this.#log.error({ reason: 'IdentityFenced', name: owner }, 'The cell is fenced: it is not the cluster that its name stands for');
    return uid;
  }

  /** What the hub has recorded of the cell, as far as that is known. */
  get #report(): ReportReading | undefined {
    const report = this.#options.hub.reports.read(this.name);
    return report.kind === 'present' ? report.object : undefined;
  }

  async #observe(plane: Omit<Plane, 'side' | 'memory'>, signal: AbortSignal): Promise<void> {
    const { hub, settings } = this.#options;
    const { clusterUid, identity } = plane;
    const guards = { settings: settings.guard, random: hub.client.random };
    const memory = remember(this.#memories.get(clusterUid), clusterUid, { ...guards, recorded: this.#report?.status });
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
    const published = hub.slices.complete ? hub.slices.originsOf(this.#identity?.observedUid ?? '') : undefined;
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
