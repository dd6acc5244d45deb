import type { CellFacts } from '#writeback/cell-report.ts';
import type { Location } from '#writeback/location.ts';

/** How a cell stands, for the status page and readiness. */
export type CellStatus = {
  name: string;
  phase: 'connecting' | 'fenced' | 'locating' | 'listing' | 'mirroring' | 'paused';
  location?: string;
  /** The configured location that the delivered one overrules: one of the two is wrong. */
  overruledLocation?: string;
  /** Why it is not mirroring, or what is held and how often: `NameTaken (2)`. */
  waitingFor: string[];
  /** Seconds since the cell last said anything. */
  silenceSeconds?: number;
};

/** The status of a cell, made of the same facts as its report. */
export function cellStatus(
  name: string,
  { identity, observedUid, location, reading, ...more }: CellFacts & { listed: boolean; reportsRead: boolean },
): CellStatus {
  const located = location.kind === 'resolved' ? locationOf(location) : {};
  if (!more.reportsRead) return { name, phase: 'connecting', waitingFor: ['HubUnread'] };
  if (observedUid === undefined) return { name, phase: 'connecting', waitingFor: ['CellUnreachable'] };
  if (identity.kind === 'unbound') return { name, phase: 'fenced', waitingFor: [identity.reason] };
  if (location.kind === 'unresolved') return { name, phase: 'locating', waitingFor: [location.reason] };
  const held = Object.entries(reading?.held ?? {}).map(([reason, count]) => `${reason} (${count})`);
  if (reading?.others) held.push(`LocationShared (${reading.others})`);
  const silence = reading?.silenceSeconds === undefined ? {} : { silenceSeconds: reading.silenceSeconds };
  return { name, phase: phaseOf(more), ...located, waitingFor: held, ...silence };
}

function phaseOf({ paused, listed }: { paused: boolean; listed: boolean }): CellStatus['phase'] {
  if (paused) return 'paused';
  return listed ? 'mirroring' : 'listing';
}

function locationOf({ name, overruled }: Extract<Location, { kind: 'resolved' }>): Pick<CellStatus, 'location' | 'overruledLocation'> {
  return { location: name, ...(overruled !== undefined && { overruledLocation: overruled }) };
}
