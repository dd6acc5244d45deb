import type { CellReportStatus } from '#api/objects.ts';
import { digest } from '#mirror/digest.ts';
import type { FrozenSet } from '#mirror/shrink-guard.ts';
import { timestamp } from '#writeback/timestamp.ts';

/** Names listed of a frozen set. */
const FIRST = 20;

/** What stands for exactly this set of keys, whatever their order, on this occasion: what an operator approves. */
export function frozenSetName({ missing, occasion }: FrozenSet): string {
  return digest([occasion, ...[...missing.keys()].toSorted()]).slice(0, 16);
}

/** A frozen set as it goes on record. `offsetMs` leads from the clock that it counts by to the wall clock. */
export function frozenRecord(frozen: FrozenSet, offsetMs: number): NonNullable<CellReportStatus['frozen']> {
  // Not Math.min(...): a set may have more members than a call may have arguments.
  const least = { sinceMs: Infinity, confirmed: Infinity };
  for (const { sinceMs, confirmed } of frozen.missing.values()) {
    least.sinceMs = Math.min(least.sinceMs, sinceMs);
    least.confirmed = Math.min(least.confirmed, confirmed);
  }
  return {
    set: frozenSetName(frozen),
    count: frozen.missing.size,
    released: frozen.released,
    since: timestamp(least.sinceMs + offsetMs),
    confirmed: least.confirmed,
    first: [...frozen.missing.keys()].toSorted().slice(0, FIRST),
  };
}
