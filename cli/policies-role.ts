import type { Registry } from '@prometheus-io/client';
import type { PlaneConfig } from '#cli/hub-config.ts';
import { openPlane } from '#cli/open-plane.ts';
import type { Client } from '#kube/client.ts';
import type { Log } from '#kube/log.ts';
import { retry } from '#kube/retry.ts';
import type { MirrorMetrics } from '#mirror/metrics.ts';
import { DEFAULT_LOCATION_SETTINGS, LocationPublisher } from '#policies/location-publisher.ts';
import type { LocationPublisherStatus } from '#policies/location-publisher.ts';
import { createReportCounter } from '#policies/report-counter.ts';

/** What the role works with. */
export type PoliciesRoleOptions = { locations: PlaneConfig; hub: Client; metrics: MirrorMetrics; registry: Registry; log: Log };

/** The publishing of locations: begins once the plane that declares them can be opened. */
export function createPoliciesRole({ locations, hub, metrics, registry, log }: PoliciesRoleOptions) {
  const countReport = createReportCounter(registry);
  let publisher: LocationPublisher | undefined;
  return {
    /** How it stands; the plane is what it waits for first. */
    status: (): LocationPublisherStatus => publisher?.status() ?? { observed: false, locations: 0, waitingFor: ['the plane of locations'] },
    /** Works until the signal aborts, and resolves when the writes in flight have ended. */
    async run(signal: AbortSignal): Promise<void> {
      const planeLog = log.child({ cluster: 'locations' });
      const open = () => openPlane({ ...locations, cluster: 'locations', concurrency: DEFAULT_LOCATION_SETTINGS.concurrency }, planeLog);
      const source = await retry('Cannot open the plane of locations', open, {
        signal,
        log: planeLog,
        clock: hub.clock,
        random: hub.random,
      });
      if (!source) return;
      while (!signal.aborted) {
        publisher = new LocationPublisher({ hub, source, settings: DEFAULT_LOCATION_SETTINGS, log, metrics, countReport });
        await publisher.run(signal);
      }
      await source.transport.close();
    },
  };
}
