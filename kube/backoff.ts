/**
 * How long to wait before trying again, in milliseconds: uniform between 0 and the bound that doubles with each attempt ("full jitter"),
 * so that many clients of one server that fell over do not come back in step.
 * `attempt` counts from 0; `random` is uniform in [0, 1).
 */
export function backoffMs(attempt: number, random: () => number, options: { baseMs: number; capMs: number }): number {
  const boundMs = Math.min(options.capMs, options.baseMs * 2 ** Math.min(attempt, MOST_DOUBLINGS));
  return random() * boundMs;
}

/** Keeps 2 ** attempt finite however long an outage lasts. */
const MOST_DOUBLINGS = 30;
