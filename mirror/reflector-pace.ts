import type { ReflectorPace } from '#kube/reflector.ts';

/**
 * How the collections beside the sources are observed: what decides about others, and the copies. A sweep reads only the sources, so at
 * its interval these are listed anew: an event about them that was never sent is made good as late as one about a source.
 */
export function reflectorPace({ idleMs, sweepIntervalMs }: { idleMs: number; sweepIntervalMs: number }): ReflectorPace {
  return { idleMs, relistMs: sweepIntervalMs };
}
