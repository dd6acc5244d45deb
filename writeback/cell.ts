import { isDeepStrictEqual } from 'node:util';
import type { EndpointSlice } from '#api/objects.ts';
import { untilAborted } from '#kube/aborted.ts';
import type { Client } from '#kube/client.ts';
import type { Log } from '#kube/log.ts';
import { retry } from '#kube/retry.ts';
import type { MirrorMetrics } from '#mirror/metrics.ts';
import { Mirror, type MirrorSettings } from '#mirror/mirror.ts';
import { type CellSide, createCellSide } from '#writeback/cell-side.ts';
import { ClusterIdentity } from '#mirror/cluster-identity.ts';
import type { HubSide } from '#writeback/hub-side.ts';
import { type Location, resolveLocation } from '#writeback/location.ts';
import { sliceRules } from '#writeback/slice-rules.ts';

/** A cell as configured. */
export type CellTarget = { name: string; kubeconfig: string; context?: string; location?: string };

/** How a cell stands, for the status page and readiness. */
export type CellStatus = {
  name: string;
  phase: 'connecting' | 'locating' | 'listing' | 'mirroring';
  location?: string;
  /** Why it is not mirroring, or what is held and how often: `NameTaken (2)`. */
  waitingFor: string[];
  /** Seconds since the cell last said anything. */
  silenceSeconds?: number;
};

/** What a cell's work needs from around it. */
export type CellOptions = {
  target: CellTarget;
  hub: HubSide;
  open: (cell: CellTarget, log: Log) => Promise<Client>;
  settings: MirrorSettings;
  metrics: MirrorMetrics;
  log: Log;
};

/** The lifetime of one cell's write-back: connect, bind its identity, find its location, mirror its slices. */
export class Cell {
  readonly #options: CellOptions;
  readonly #log: Log;
  #side: CellSide | undefined;
  #mirror: Mirror<EndpointSlice> | undefined;
  #location: Location = { kind: 'unresolved', reason: 'LocationUnread' };
  #locationChanged = new AbortController();
  #connected = false;

  constructor(options: CellOptions) {
    this.#options = options;
    this.#log = options.log.child({ cell: options.target.name });
  }

  /** Works for the cell until the signal aborts, and resolves when its writes in flight have ended. */
  async run(signal: AbortSignal): Promise<void> {
    const { target, open, settings } = this.#options;
    const pace = { signal, log: this.#log };
    const cell = await retry('Cannot open the cell', () => open(target, this.#log), pace);
    if (!cell) return;
    const identity = new ClusterIdentity(cell);
    const clusterUid = await retry('Cannot bind the identity of the cell', () => identity.bind(signal), pace);
    if (clusterUid !== undefined) {
      this.#connected = true;
      this.#side = createCellSide({
        cell,
        idleMs: settings.idleMs,
        log: this.#log,
        namespaceChanged: (namespace) => this.refresh(namespace),
        locationsChanged: () => this.#locate(),
      });
      await Promise.all([this.#side.run(signal), this.#mirrorWhereLocated({ cell, identity, clusterUid, side: this.#side }, signal)]);
    }
    await cell.transport.close();
  }

  /** Judges the slices of a namespace anew, because it changed on the hub or in the cell; without a name, all of them. */
  refresh(namespace?: string): void {
    this.#mirror?.refresh(namespace);
  }

  /** How the cell stands. */
  get status(): CellStatus {
    const { name } = this.#options.target;
    const location = this.#location.kind === 'resolved' ? { location: this.#location.name } : {};
    if (!this.#connected) return { name, phase: 'connecting', waitingFor: ['CellUnreachable'] };
    if (this.#location.kind === 'unresolved') return { name, phase: 'locating', waitingFor: [this.#location.reason] };
    const reading = this.#mirror?.reading();
    const held = Object.entries(reading?.held ?? {}).map(([reason, count]) => `${reason} (${count})`);
    const silence = reading?.silenceSeconds === undefined ? {} : { silenceSeconds: reading.silenceSeconds };
    return { name, phase: this.#mirror?.listed ? 'mirroring' : 'listing', ...location, waitingFor: held, ...silence };
  }

  #locate(): void {
    if (!this.#side) return;
    const now = resolveLocation(this.#side.deliveredLocations(), this.#options.target.location);
    if (isDeepStrictEqual(now, this.#location)) return;
    this.#location = now;
    this.#tell(now);
    this.#locationChanged.abort();
    this.#locationChanged = new AbortController();
    this.refresh();
  }

  #tell(location: Location): void {
    if (location.kind === 'unresolved') return this.#log.warn({ reason: location.reason }, 'The location of the cell is not known');
    this.#log.info({ location: location.name, reason: location.from }, 'The location of the cell is known');
    if (location.overruled)
      this.#log.warn({ location: location.name, reason: 'LocationMismatch' }, 'The delivered location overrules the configured one');
  }

  /**
   * One mirror for as long as the cell has the same location. While the location is unresolved that mirror goes on, and its
   * rules decide to keep everything; it ends only when another location is known.
   */
  async #mirrorWhereLocated(
    plane: { cell: Client; identity: ClusterIdentity; clusterUid: string; side: CellSide },
    signal: AbortSignal,
  ): Promise<void> {
    while (!signal.aborted) {
      const location = this.#location;
      if (location.kind === 'resolved') await this.#mirrorAt(location.name, plane, signal);
      else await Promise.race([untilAborted(signal), untilAborted(this.#locationChanged.signal)]);
    }
  }

  async #mirrorAt(
    location: string,
    { cell, identity, clusterUid, side }: { cell: Client; identity: ClusterIdentity; clusterUid: string; side: CellSide },
    signal: AbortSignal,
  ): Promise<void> {
    const { hub, settings, metrics } = this.#options;
    const currentLocation = () => this.#location;
    const rules = sliceRules({
      location,
      clusterUid,
      currentLocation,
      identity,
      cellNamespaces: side.namespaces,
      hubNamespaces: hub.namespaces,
    });
    const log = this.#log.child({ controller: rules.controller, location });
    this.#mirror = new Mirror({ rules, source: cell, hub: hub.client, published: hub.slices, settings, metrics, log });
    const moved = new AbortController();
    const work = this.#mirror.run(AbortSignal.any([signal, moved.signal]));
    await this.#untilMoved(location, signal);
    moved.abort();
    await work;
    this.#mirror = undefined;
  }

  async #untilMoved(location: string, signal: AbortSignal): Promise<void> {
    while (!signal.aborted && !(this.#location.kind === 'resolved' && this.#location.name !== location)) {
      await Promise.race([untilAborted(signal), untilAborted(this.#locationChanged.signal)]);
    }
  }
}
