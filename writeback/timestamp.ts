/** Two readings of one moment by two clocks may lie this far apart, a cut to whole seconds included. */
const SAME_MS = 2_000;

/** A time of the wall clock in milliseconds as RFC 3339 in UTC, to the second, as the API of Kubernetes has it. */
export function timestamp(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

/** The timestamp of `ms`, or the known one where both are of one moment: what is worked out anew each time must not change by itself. */
export function sameTimestamp(ms: number, known: string | undefined): string {
  return known !== undefined && Math.abs(ms - Date.parse(known)) < SAME_MS ? known : timestamp(ms);
}
