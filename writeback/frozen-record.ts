import type { CellReportStatus } from '#api/objects.ts';
import { digest } from '#mirror/digest.ts';
import type { FrozenSet } from '#mirror/shrink-guard.ts';
import { timestamp } from '#writeback/timestamp.ts';

/** Names listed of a frozen set. */
const FIRST = 20;

/** What stands for exactly this set of keys, whatever their order: what an operator approves. */
export function frozenSetName(frozen: FrozenSet): string {
  return digest([...frozen.missing.keys()].toSorted()).slice(0, 16);
}

/** A frozen set as it goes on record. `offsetMs` leads from the clock that it counts by to the wall clock. */
export function frozenRecord(frozen: FrozenSet, offsetMs: number): NonNullable<CellReportStatus['frozen']> {
  const missing = [...frozen.missing.values()];
  const sinceMs = Math.min(...missing.map((each) => each.sinceMs));
  return {
    set: frozenSetName(frozen),
    count: missing.length,
    released: frozen.released,
    since: timestamp(sinceMs + offsetMs),
    confirmed: Math.min(...missing.map((each) => each.confirmed)),
    first: [...frozen.missing.keys()].toSorted().slice(0, FIRST),
  };
}
