/**
 * The value below which a share of the values lies, by the nearest rank: always one that was measured. `share` is 0.99 for p99.
 * @throws {Error} for no values.
 */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  const value = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
  if (value === undefined) throw new Error('There is no quantile of nothing');
  return value;
}
