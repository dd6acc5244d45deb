/**
 * What a Retry-After header asks for, in milliseconds; undefined when there is none or it cannot be read.
 * Both forms of RFC 9110 are read: seconds, and a date, which is judged by `wallMs`.
 * Never more than two minutes: a server that says "tomorrow" is asked again before.
 */
export function retryAfterMs(header: string | undefined, wallMs: number): number | undefined {
  if (header === undefined) return undefined;
  const ms = /^\d+$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - wallMs;
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), LONGEST_MS);
}

const LONGEST_MS = 120_000;
