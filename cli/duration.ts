/** Milliseconds: the longest that a timer of Node can wait. A longer one would fire at once. */
const MAX_MS = 2 ** 31 - 1;

const UNIT_MS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/**
 * Milliseconds of a duration written as in Kubernetes: `500ms`, `30s`, `10m`, `1h30m`.
 * Undefined for anything else: no unit, zero, negative, fractions of a millisecond, or past 24 days.
 */
export function parseDuration(text: string): number | undefined {
  if (!/^(?:\d{1,15}(?:ms|s|m|h))+$/.test(text)) return undefined;
  const parts = [...text.matchAll(/(\d+)(ms|s|m|h)/g)];
  const ms = parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * (UNIT_MS[unit ?? ''] ?? Number.NaN), 0);
  return ms > 0 && ms <= MAX_MS ? ms : undefined;
}
