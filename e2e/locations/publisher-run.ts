import { Registry } from '@prometheus-io/client';
import { eventually } from '#e2e/eventually.ts';
import { metricValue } from '#e2e/metric-value.ts';
import type { Client } from '#kube/client.ts';
import { openClient } from '#kube/open-client.ts';
import { type LogLine, recordingLog } from '#kube/testing/scripted-client.ts';
import { createMirrorMetrics } from '#mirror/metrics.ts';
import { LocationPublisher, type LocationPublisherStatus } from '#policies/location-publisher.ts';
import { createReportCounter } from '#policies/report-counter.ts';

/** Short enough for a test to wait for two passes, long enough for two cores to do something else in between. */
const SETTINGS = { passIntervalMs: 300, blockedRetryMs: 300, idleMs: 60_000, concurrency: 4 };

/** Where Locations come from and go to, each as the service's user may see it. */
export type PublisherPlanes = { hub: { serviceKubeconfig: string }; source: { serviceKubeconfig: string } };

/** A location publisher that runs inside the test, with only the service's rights. */
export class PublisherRun {
  readonly log = recordingLog();
  readonly #registry = new Registry();
  readonly #planes: PublisherPlanes;
  #running: { stopping: AbortController; ended: Promise<void>; publisher: LocationPublisher; clients: Client[] } | undefined;

  constructor(planes: PublisherPlanes) {
    this.#planes = planes;
  }

  async start(): Promise<void> {
    const { log } = this;
    const hub = await openClient({ cluster: 'hub', kubeconfig: this.#planes.hub.serviceKubeconfig, log });
    const source = await openClient({ cluster: 'locations', kubeconfig: this.#planes.source.serviceKubeconfig, log });
    this.#registry.clear();
    const metrics = createMirrorMetrics(this.#registry);
    const countReport = createReportCounter(this.#registry);
    const publisher = new LocationPublisher({ hub, source, settings: SETTINGS, log, metrics, countReport });
    const stopping = new AbortController();
    this.#running = { stopping, publisher, clients: [hub, source], ended: publisher.run(stopping.signal) };
  }

  async stop(): Promise<void> {
    this.#running?.stopping.abort();
    await this.#running?.ended;
    for (const client of this.#running?.clients ?? []) await client.transport.close();
    this.#running = undefined;
  }

  get status(): LocationPublisherStatus {
    if (!this.#running) throw new Error('The publisher is not running');
    return this.#running.publisher.status();
  }

  /** The sum of a metric over the series that carry all these labels; 0 where there is none. */
  async metric(name: string, labels: Record<string, string> = {}): Promise<number> {
    return metricValue(await this.#registry.metrics(), { name, labels });
  }

  /** How often a state that an operator must know of has newly appeared. */
  reported(reason: string): Promise<number> {
    return this.metric('fedhub_location_reports_total', { reason });
  }

  /** Waits until two whole passes that began after this call have been worked off. */
  async passed(): Promise<void> {
    const passes = () => this.metric('fedhub_sweeps_total', { result: 'complete' });
    // The next one to end may have begun already; the one after the last has its locations in the queue when it ends.
    const enough = (await passes()) + 4;
    await eventually(
      'passes over all locations',
      async () => (await passes()) >= enough && (await this.metric('fedhub_queue_depth')) === 0,
    );
  }

  /** The last lines of its log, for a test that failed. */
  logTail(): string {
    const text = ({ level, message, ...fields }: LogLine) =>
      `${level} ${message} ${JSON.stringify(fields, (_key, value: unknown) => (value instanceof Error ? value.message : value))}`;
    return this.log.lines.slice(-30).map(text).join('\n');
  }
}
