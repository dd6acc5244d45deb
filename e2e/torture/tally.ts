/** How often what happened. */
export type Tally = Map<string, number>;

/** Counts one more, or `by` more. */
export function count(tally: Tally, what: string, by = 1): void {
  tally.set(what, (tally.get(what) ?? 0) + by);
}

/** `create 12, remove 3`, the most frequent first; `none` where nothing happened. */
export function formatTally(tally: Tally): string {
  const rows = [...tally].filter(([, times]) => times > 0).toSorted(([a, times], [b, others]) => others - times || a.localeCompare(b));
  return rows.map(([what, times]) => `${what} ${times}`).join(', ') || 'none';
}

/** How often anything happened. */
export function total(tally: Tally): number {
  return [...tally.values()].reduce((sum, times) => sum + times, 0);
}
