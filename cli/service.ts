import type { Registry } from '@prometheus-io/client';
import { followPlanes } from '#cli/follow-planes.ts';
import type { Planes } from '#cli/follow-planes.ts';
import type { HubConfig } from '#cli/hub-config.ts';
import { openPlane } from '#cli/open-plane.ts';
import type { Standing } from '#cli/readiness.ts';
import { createRoles } from '#cli/roles.ts';
import { waitForClient } from '#cli/wait-for-client.ts';
import type { Client } from '#kube/client.ts';
import { systemClock } from '#kube/clock.ts';
import type { Log } from '#kube/log.ts';
import { createMirrorMetrics } from '#mirror/metrics.ts';

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

/** Waits for the hub, then keeps it; cells and projects follow the configuration all the while. Ends after the signal has aborted. */
export async function runService(options: ServiceOptions, signal: AbortSignal): Promise<void> {
  const following = await followPlanes(options);
  // When either part ends, for whatever reason, the other is stopped in order too.
  const ended = new AbortController();
  const both = AbortSignal.any([signal, ended.signal]);
  const end = () => ended.abort();
  await Promise.all([keepHub(options, following.planes, both).finally(end), following.run(both).finally(end)]);
}

async function keepHub(options: ServiceOptions, planes: Planes, signal: AbortSignal): Promise<void> {
  const hub = await openHub(options, signal);
  if (hub === undefined) return;
  const { config, log, registry, show } = options;
  const roles = createRoles({ config, hub, planes, metrics: createMirrorMetrics(registry), registry, log });
  const work = roles.run(signal);
  show(roles.standing);
  try {
    await work;
  } finally {
    await hub.transport.close();
  }
}

function openHub({ config, log, show }: ServiceOptions, signal: AbortSignal): Promise<Client | undefined> {
  const hubLog = log.child({ cluster: 'hub' });
  const concurrency = Math.max(config.writeback.concurrency, config.replicator.concurrency);
  const open = () => openPlane({ ...config.hub, cluster: 'hub', concurrency }, hubLog);
  const onWait = (reason: string) => show(() => ({ hubObserved: false, waitingFor: [reason], cells: [], projects: [] }));
  return waitForClient({ open, file: config.hub.kubeconfig, clock: systemClock, random: Math.random, log: hubLog, onWait }, signal);
}
