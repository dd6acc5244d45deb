import type { Client } from '#kube/client.ts';
import type { Log } from '#kube/log.ts';
import { retry } from '#kube/retry.ts';
import { ClusterIdentity } from '#mirror/cluster-identity.ts';
import { Controller } from '#mirror/controller.ts';
import { Holds } from '#mirror/holds.ts';
import type { MirrorLabels, MirrorMetrics, MirrorReading } from '#mirror/metrics.ts';
import { Workqueue } from '#mirror/workqueue.ts';
import { passForEver } from '#policies/full-pass.ts';
import { LastWrites } from '#policies/last-writes.ts';
import type { LocationContext } from '#policies/location-context.ts';
import { createLocationStores } from '#policies/location-stores.ts';
import { reconcileLocation } from '#policies/reconcile-location.ts';
import { Reporter } from '#policies/reporter.ts';
import type { ReportReason } from '#policies/reports.ts';

/** How the publisher is paced. */
export type LocationSettings = {
  /** Between two passes over every location, give or take a tenth. Default 30 minutes. */
  passIntervalMs: number;
  /** The longest until a blocked removal, or a name that is somebody else's, is looked at again. Default 5 minutes. */
  blockedRetryMs: number;
  /** Longest silence of a watch before it is taken for dead. */
  idleMs: number;
  /** Locations under way at the same time. */
  concurrency: number;
};

/** How the publisher is paced unless said otherwise. */
export const DEFAULT_LOCATION_SETTINGS: LocationSettings = {
  passIntervalMs: 30 * 60_000,
  blockedRetryMs: 5 * 60_000,
  idleMs: 60_000,
  concurrency: 4,
};

/** What the publisher needs from the command line's side. */
export type LocationPublisherOptions = {
  hub: Client;
  /** The plane that Locations are declared on. */
  source: Client;
  settings: LocationSettings;
  log: Log;
  metrics: MirrorMetrics;
  /** Counts a state that an operator must know of (`report-counter.ts`). */
  countReport: (reason: ReportReason) => void;
};

/** How the publisher stands, for the status page and readiness. */
export type LocationPublisherStatus = {
  /** Locations, serving locations and policies have each been listed in full. */
  observed: boolean;
  /** Locations that are declared. */
  locations: number;
  /** What it cannot see yet, and what is held and how often: `ClustersStillServing (1)`. */
  waitingFor: string[];
};

const CONTROLLER = 'policies.location';
/** The controller looks again after up to a fifth more than it was told. */
const RETRY_SPREAD = 1.2;

/** Keeps a serving location and a policy on the hub for every Location, while it runs (contract section 4). */
export class LocationPublisher {
  readonly #options: LocationPublisherOptions;
  readonly #context: LocationContext;
  readonly #queue: Workqueue;
  readonly #holds = new Holds();
  readonly #labels: MirrorLabels;

  constructor(options: LocationPublisherOptions) {
    const { hub, settings } = options;
    const identity = new ClusterIdentity(options.source);
    const source = identity.client;
    const log = options.log.child({ controller: CONTROLLER });
    this.#options = { ...options, log };
    this.#labels = { controller: CONTROLLER, plane: source.cluster };
    this.#queue = new Workqueue(hub.clock);
    const stores = createLocationStores({
      ...{ hub, source, log, pace: { idleMs: settings.idleMs, relistMs: settings.passIntervalMs } },
      changed: (name) => this.#queue.add(name, 'live'),
      guardsChanged: () => this.#wakeHeld(),
      settled: () => this.#lookAtAll(),
    });
    const reporter = new Reporter({ hub, log, count: options.countReport });
    this.#context = { hub, source, log, stores, reporter, identity, lastWrites: new LastWrites() };
  }

  /**
   * Works until the signal aborts, or the plane's right cluster is back after another one stood there: then what was seen is void, and a
   * new publisher is to begin. Resolves when the writes in flight have ended.
   */
  async run(stop: AbortSignal): Promise<void> {
    const { identity } = this.#context;
    const returned = new AbortController();
    const signal = AbortSignal.any([stop, returned.signal]);
    void identity.untilReturned(signal).then(() => returned.abort());
    await this.#publish(signal);
  }

  async #publish(signal: AbortSignal): Promise<void> {
    const { source, settings, metrics, log } = this.#options;
    const { identity, stores } = this.#context;
    const bound = await retry('Cannot bind the identity of the plane of Locations', () => identity.bind(signal), {
      signal,
      log,
      clock: source.clock,
      random: source.random,
    });
    if (bound === undefined) return;
    const labels = this.#labels;
    const leaveMetrics = metrics.include(labels, () => this.#reading());
    const controller = new Controller({
      ...{ labels, metrics, log, queue: this.#queue, holds: this.#holds, concurrency: settings.concurrency },
      reconcile: (name, how) => reconcileLocation(this.#context, name, how),
      retryIntervalMs: settings.blockedRetryMs / RETRY_SPREAD,
      clock: source.clock,
      random: source.random,
    });
    const add = (name: string) => this.#queue.add(name, 'sweep');
    const passes = passForEver(this.#context, { passIntervalMs: settings.passIntervalMs, add, labels, metrics, signal });
    await Promise.all([stores.run(signal), controller.run(signal), passes]);
    leaveMetrics();
    this.#queue.close();
  }

  /** How it stands. */
  status(): LocationPublisherStatus {
    const { sources, held, policies, clusters } = this.#context.stores;
    const unseen = [
      ...(sources.complete ? [] : ['LocationsUnread']),
      ...(held.complete ? [] : ['ServingLocationsUnread']),
      ...(policies.complete ? [] : ['PoliciesUnread']),
      ...(clusters.complete ? [] : ['FleetUnread']),
    ];
    const open = Object.entries(this.#holds.counts()).map(([reason, count]) => `${reason} (${count})`);
    const observed = sources.complete && held.complete && policies.complete;
    return { observed, locations: sources.values().length, waitingFor: [...unseen, ...open] };
  }

  #lookAtAll(): void {
    for (const name of this.#context.stores.names()) this.#queue.add(name, 'repair');
  }

  #wakeHeld(): void {
    for (const { key } of this.#holds.list(Infinity)) this.#queue.add(key, 'repair');
  }

  #reading(): MirrorReading {
    const { stores, source } = this.#context;
    const contactMs = stores.lastContactMs();
    return {
      queueDepth: this.#queue.depth,
      sources: stores.sources.values().length,
      copies: stores.held.values().filter(({ ours }) => ours).length,
      held: this.#holds.counts(),
      // Few enough for the guards of a removal to look at each by itself.
      frozen: 0,
      silenceSeconds: contactMs === undefined ? undefined : (source.clock.monotonicMs() - contactMs) / 1000,
    };
  }
}
