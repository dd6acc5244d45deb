import { Counter, Gauge, Histogram, type Registry } from '@prometheus-io/client';
import type { Outcome } from '#mirror/mirror-context.ts';

/** Which mirror a number belongs to: a controller's dotted name and the plane (cell or project) it works for. */
export type MirrorLabels = { controller: string; plane: string };

/** What is read from a mirror when metrics are scraped. */
export type MirrorReading = {
  queueDepth: number;
  sources: number;
  copies: number;
  held: Record<string, number>;
  /** Seconds since the plane of the sources last said anything; undefined before it first did. */
  silenceSeconds: number | undefined;
  /** Copies whose sources went missing so suddenly that it is not believed yet. */
  frozen?: number;
  /** Copies at the same place that have their source in another cluster. */
  others?: number;
};

/** Where mirrors count. Every series of a plane goes when it leaves. */
export type MirrorMetrics = {
  reconciled(labels: MirrorLabels, action: Outcome['action'], seconds: number): void;
  failed(labels: MirrorLabels, code: string): void;
  swept(labels: MirrorLabels, result: 'complete' | 'broken'): void;
  /** Includes a mirror in every scrape. @returns how to leave again. */
  include(labels: MirrorLabels, read: () => MirrorReading): () => void;
};

const ACTIONS: readonly Outcome['action'][] = ['none', 'created', 'updated', 'replaced', 'withdrawn', 'kept', 'waiting', 'refused'];
const RESULTS = ['complete', 'broken'] as const;
const NAMES = ['controller', 'plane'] as const;

/** Registers the engine's metrics, all with the prefix `fedhub_`. */
export function createMirrorMetrics(registry: Registry): MirrorMetrics {
  const registers = [registry];
  const reconciles = new Counter({
    name: 'fedhub_reconciles_total',
    help: 'Reconciles by what they did',
    labelNames: [...NAMES, 'action'],
    registers,
  });
  const errors = new Counter({
    name: 'fedhub_reconcile_errors_total',
    help: 'Failed reconciles by error code',
    labelNames: [...NAMES, 'code'],
    registers,
  });
  const seconds = new Histogram({
    name: 'fedhub_reconcile_seconds',
    help: 'Duration of reconciles that wrote',
    labelNames: [...NAMES],
    registers,
  });
  const sweeps = new Counter({
    name: 'fedhub_sweeps_total',
    help: 'Sweeps by how they ended',
    labelNames: [...NAMES, 'result'],
    registers,
  });
  const readings = new Map<MirrorLabels, () => MirrorReading>();
  registerReadings(registry, readings);
  return {
    reconciled: (labels, action, duration) => {
      reconciles.inc({ ...labels, action });
      if (action !== 'none') seconds.observe(labels, duration);
    },
    failed: (labels, code) => errors.inc({ ...labels, code }),
    swept: (labels, result) => sweeps.inc({ ...labels, result }),
    include: (labels, read) => {
      readings.set(labels, read);
      for (const action of ACTIONS) reconciles.inc({ ...labels, action }, 0);
      for (const result of RESULTS) sweeps.inc({ ...labels, result }, 0);
      return () => {
        readings.delete(labels);
        for (const metric of [reconciles, errors, seconds, sweeps]) removeSeries(metric, labels);
      };
    },
  };
}

/** Gauges that are read from the mirrors themselves, when somebody asks. */
function registerReadings(registry: Registry, readings: Map<MirrorLabels, () => MirrorReading>): void {
  const add = (name: string, help: string, pick: (reading: MirrorReading) => number | undefined) =>
    gauge(registry, readings, { name, help, pick });
  add('fedhub_queue_depth', 'Keys that wait for a worker', ({ queueDepth }) => queueDepth);
  add('fedhub_sources', 'Sources known to be there', ({ sources }) => sources);
  add('fedhub_copies', 'Copies on the hub', ({ copies }) => copies);
  add('fedhub_watch_silence_seconds', "Time since the sources' API server last said anything", ({ silenceSeconds }) => silenceSeconds);
  add('fedhub_frozen_copies', 'Copies whose sources went missing too suddenly to be believed', ({ frozen }) => frozen ?? 0);
  const held = new Gauge({
    name: 'fedhub_held_keys',
    help: 'Keys that are not as their source calls for, or whose source is passed over, by reason',
    labelNames: [...NAMES, 'reason'],
    registers: [registry],
    collect() {
      held.reset();
      for (const [labels, read] of readings)
        for (const [reason, count] of Object.entries(read().held)) held.set({ ...labels, reason }, count);
    },
  });
}

function gauge(
  registry: Registry,
  readings: Map<MirrorLabels, () => MirrorReading>,
  { pick, ...about }: { name: string; help: string; pick: (reading: MirrorReading) => number | undefined },
): void {
  const metric = new Gauge({
    ...about,
    labelNames: [...NAMES],
    registers: [registry],
    collect() {
      metric.reset();
      for (const [labels, read] of readings) metric.set(labels, pick(read()) ?? Number.NaN);
    },
  });
}

type Series = {
  get(): Promise<{ values: { labels: Partial<Record<string, string | number>> }[] }>;
  remove(labels: Record<string, string>): void;
};

/** A scrape must not go on showing a plane that left. */
function removeSeries(metric: unknown, labels: MirrorLabels): void {
  const series = metric as Series;
  void series.get().then(({ values }) => {
    for (const value of values) {
      if (value.labels['controller'] !== labels.controller || value.labels['plane'] !== labels.plane) continue;
      const { le: _le, ...rest } = value.labels;
      series.remove(rest as Record<string, string>);
    }
  });
}
