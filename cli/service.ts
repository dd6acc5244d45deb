import type { Registry } from '@prometheus-io/client';
import { CellsInForce } from '#cli/cells-in-force.ts';
import { createConfigMetrics } from '#cli/config-metrics.ts';
import type { HubConfig } from '#cli/config-schema.ts';
import { followConfig } from '#cli/follow-config.ts';
import { openPlane } from '#cli/open-plane.ts';
import type { Standing } from '#cli/readiness.ts';
import { partsNeedingRestart } from '#cli/restart-needed.ts';
import { waitForClient } from '#cli/wait-for-client.ts';
import type { Client } from '#kube/client.ts';
import { systemClock } from '#kube/clock.ts';
import type { Log } from '#kube/log.ts';
import { createMirrorMetrics } from '#mirror/metrics.ts';
import { Writeback } from '#writeback/writeback.ts';

/** What the service is made of. `show` is given what answers for its standing from now on. */
export type ServiceOptions = {
  file: string;
  /** The text of `file` that `config` was read from. */
  text: string;
  config: HubConfig;
  log: Log;
  registry: Registry;
  show: (standing: () => Standing) => void;
};

/** Waits for the hub, then keeps it; cells follow the configuration file all the while. Ends after the signal has aborted. */
export async function runService(options: ServiceOptions, signal: AbortSignal): Promise<void> {
  const cells = new CellsInForce(options.config.cells);
  // When either part ends, for whatever reason, the other is stopped in order too.
  const ended = new AbortController();
  const both = AbortSignal.any([signal, ended.signal]);
  const end = () => ended.abort();
  await Promise.all([keepHub(options, cells, both).finally(end), followCells(options, cells, both).finally(end)]);
}

async function keepHub(options: ServiceOptions, cells: CellsInForce, signal: AbortSignal): Promise<void> {
  const hub = await openHub(options, signal);
  if (hub === undefined) return;
  const { config, log, registry, show } = options;
  const { sweepIntervalMs, retryIntervalMs, idleTimeoutMs: idleMs, concurrency } = config.writeback;
  const writeback = new Writeback({
    hub,
    openCell: (cell, cellLog) => openPlane({ ...cell, cluster: cell.name, concurrency }, cellLog),
    settings: { sweepIntervalMs, retryIntervalMs, idleMs, concurrency },
    log,
    metrics: createMirrorMetrics(registry),
  });
  cells.giveTo(writeback);
  show(() => ({ waitingFor: [], ...writeback.status() }));
  try {
    await writeback.run(signal);
  } finally {
    await hub.transport.close();
  }
}

function openHub({ config, log, show }: ServiceOptions, signal: AbortSignal): Promise<Client | undefined> {
  const hubLog = log.child({ cluster: 'hub' });
  const open = () => openPlane({ ...config.hub, cluster: 'hub', concurrency: config.writeback.concurrency }, hubLog);
  const onWait = (reason: string) => show(() => ({ hubObserved: false, waitingFor: [reason], cells: [] }));
  return waitForClient({ open, file: config.hub.kubeconfig, clock: systemClock, random: Math.random, log: hubLog, onWait }, signal);
}

function followCells({ file, text, config, log, registry }: ServiceOptions, cells: CellsInForce, signal: AbortSignal): Promise<void> {
  const count = createConfigMetrics(registry);
  return followConfig({
    file,
    text,
    clock: systemClock,
    signal,
    onConfig: (next) => {
      count('used');
      log.info({ file, count: next.cells.length }, 'Configuration changed: its cells are in force');
      const parts = partsNeedingRestart(config, next);
      if (parts.length > 0) log.warn({ file, reason: parts.join(', ') }, 'Part of the new configuration needs a restart');
      cells.change(next.cells);
    },
    onRefused: (err) => {
      count('refused');
      log.error({ file, err }, 'New configuration refused: the one before stays in force');
    },
  });
}
