import type { KubeObject } from '#api/objects.ts';
import type { Log } from '#kube/log.ts';
import { conclude } from '#mirror/conclude.ts';
import type { MirrorLabels, MirrorMetrics } from '#mirror/metrics.ts';
import type { MirrorContext } from '#mirror/mirror-context.ts';
import { sweep } from '#mirror/sweep.ts';

/** A sweep that broke is tried again after this, or after the interval where that is shorter. */
const AFTER_FAILURE_MS = 60_000;

/** What the schedule needs besides the mirror's context. */
export type SweepSchedule = {
  sweepIntervalMs: number;
  /** Resolves when the first sweep may begin: the first list is in and worked off. */
  until: () => Promise<void>;
  labels: MirrorLabels;
  metrics: MirrorMetrics;
  log: Log;
  signal: AbortSignal;
};

/** Sweeps once after the first list and then at the interval, with a tenth of jitter so that cells do not sweep in step. */
export async function sweepForEver<S extends KubeObject>(context: MirrorContext<S>, schedule: SweepSchedule): Promise<void> {
  const { signal, sweepIntervalMs } = schedule;
  const { clock, random } = context.source;
  await schedule.until();
  while (!signal.aborted) {
    const complete = await sweepOnce(context, schedule);
    const pauseMs = complete ? sweepIntervalMs : Math.min(AFTER_FAILURE_MS, sweepIntervalMs);
    await clock.sleep(pauseMs * (0.9 + 0.2 * random()), signal);
  }
}

async function sweepOnce<S extends KubeObject>(context: MirrorContext<S>, schedule: SweepSchedule): Promise<boolean> {
  const { log, metrics, labels, signal } = schedule;
  const startedMs = context.source.clock.monotonicMs();
  try {
    const { seen, suspects, misplaced, others, epoch } = await sweep(context, schedule);
    conclude(context, { seen, suspects, others, epoch });
    const durationMs = Math.round(context.source.clock.monotonicMs() - startedMs);
    log.debug({ count: seen.size, durationMs }, 'Swept');
    if (suspects.size > 0) log.info({ count: suspects.size }, 'A sweep found copies or remembered sources that the plane did not list');
    if (misplaced > 0) log.warn({ count: misplaced, reason: 'Misplaced' }, 'Copies stand under names that their sources do not call for');
    if (others > 0) log.warn({ count: others, reason: 'LocationShared' }, 'Copies at this place have their sources in another cluster');
    metrics.swept(labels, 'complete');
    return true;
  } catch (error) {
    if (signal.aborted) return false;
    log.warn({ err: error }, 'A sweep broke off; nothing was concluded');
    metrics.swept(labels, 'broken');
    return false;
  }
}
