import type { ShrinkGuard } from '#mirror/shrink-guard.ts';
import { frozenSetName } from '#writeback/frozen-record.ts';

/**
 * Releases what is frozen where an operator has approved exactly that set (contract section 5, "Shrink guard").
 * `approve`: the name of a set, as the report gave it. @returns how many sources were released by it; 0 where it names another set.
 */
export function approveFrozen(guard: ShrinkGuard, approve: string | undefined): number {
  const { frozen } = guard;
  // The name is worked out last: it takes all keys of the set, and this is asked every second.
  if (!frozen || approve === undefined || frozen.released === frozen.missing.size || approve !== frozenSetName(frozen)) return 0;
  guard.approve(new Set(frozen.missing.keys()));
  return frozen.missing.size;
}
