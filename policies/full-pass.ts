import { CLUSTER_PROPAGATION_POLICIES, LOCATIONS, SERVING_LOCATIONS } from '#api/resources.ts';
import type { MirrorLabels, MirrorMetrics } from '#mirror/metrics.ts';
import type { LocationContext } from '#policies/location-context.ts';
import { locationOfPolicy } from '#policies/location-policy.ts';
import { OURS } from '#policies/location-stores.ts';
import { listAll } from '#policies/look-live.ts';

/** A pass that broke is tried again after this, or after the interval where that is shorter. */
const AFTER_FAILURE_MS = 60_000;

/** How passes are paced, and who works on what they find. */
export type PassOptions = {
  passIntervalMs: number;
  /** Takes a location that is to be looked at live. */
  add: (name: string) => void;
  labels: MirrorLabels;
  metrics: MirrorMetrics;
  signal: AbortSignal;
};

/**
 * Has every location looked at live, once at the start and then at the interval, give or take a tenth: those that are declared
 * and those that the hub holds something of. What a watch missed is found so.
 */
export async function passForEver(context: LocationContext, options: PassOptions): Promise<void> {
  const { signal, passIntervalMs } = options;
  const { clock, random } = context.hub;
  while (!signal.aborted) {
    const complete = await passOnce(context, options);
    const pauseMs = complete ? passIntervalMs : Math.min(AFTER_FAILURE_MS, passIntervalMs);
    await clock.sleep(pauseMs * (0.9 + 0.2 * random()), signal);
  }
}

async function passOnce(context: LocationContext, { add, labels, metrics, signal }: PassOptions): Promise<boolean> {
  try {
    for (const name of await findNames(context, signal)) add(name);
    metrics.swept(labels, 'complete');
    return true;
  } catch (error) {
    if (signal.aborted) return false;
    context.log.warn({ err: error }, 'A pass over all locations broke off; nothing was concluded');
    metrics.swept(labels, 'broken');
    return false;
  }
}

async function findNames({ hub, source }: LocationContext, signal: AbortSignal): Promise<Set<string>> {
  const how = { signal, priority: 'sweep' } as const;
  const [declared, served, policies] = await Promise.all([
    listAll(source, LOCATIONS, how),
    listAll(hub, SERVING_LOCATIONS, how),
    listAll(hub, CLUSTER_PROPAGATION_POLICIES, { ...how, labelSelector: OURS }),
  ]);
  const names = [...declared, ...served].map(({ metadata }) => metadata.name);
  return new Set([...names, ...policies.flatMap(({ metadata }) => locationOfPolicy(metadata.name) ?? [])]);
}
