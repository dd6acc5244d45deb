import { PROGRAMS } from '#planes/programs.ts';
import type { Program } from '#planes/programs.ts';

/** A program that has been built, and how long that took. */
export type Built = { program: Program; ms: number };

/**
 * Milliseconds that the builds of `left` will still take, judged by how long those in `built` took against their estimates.
 * A warm Go cache or a faster machine shows after the first program. `spentMs` is what the first of `left` has already had.
 */
export function estimateLeftMs({
  left,
  built,
  spentMs = 0,
}: {
  left: readonly Program[];
  built: readonly Built[];
  spentMs?: number;
}): number {
  const expectedMs = coldMs(built.map(({ program }) => program));
  const tookMs = built.reduce((sum, { ms }) => sum + ms, 0);
  const pace = expectedMs === 0 ? 1 : tookMs / expectedMs;
  const [current, ...later] = left;
  if (current === undefined) return 0;
  // A build that is past its estimate is taken to be nearly through: the rest is what counts then.
  return Math.max(coldMs([current]) * pace - spentMs, 0) + coldMs(later) * pace;
}

/** `4 min`, `35 s`: as exact as an estimate deserves. */
export function formatLength(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  return seconds < 90 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}

function coldMs(programs: readonly Program[]): number {
  return programs.reduce((sum, program) => sum + PROGRAMS[program].coldBuildSeconds * 1000, 0);
}
