import type { ReflectorPace } from '#kube/reflector.ts';

/** Lists of everything are not cheap, and what tells that one is due, a bookmark, comes about once a minute. */
const LEAST_MS = 60_000;

/**
 * How the collections beside the sources are observed: what decides about others, and the copies. A sweep reads only the sources, so at
 * its interval these are listed anew, though not more than once a minute: an event about them that was never sent is made good about as
 * late as one about a source.
 */
export function reflectorPace({ idleMs, sweepIntervalMs }: { idleMs: number; sweepIntervalMs: number }): ReflectorPace {
  return { idleMs, relistMs: Math.max(sweepIntervalMs, LEAST_MS) };
}
