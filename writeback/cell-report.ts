import type { CellReportStatus, Condition } from '#api/objects.ts';
import type { Identity } from '#mirror/cluster-identity.ts';
import { digest } from '#mirror/digest.ts';
import type { MirrorReading } from '#mirror/metrics.ts';
import type { FrozenSet } from '#mirror/shrink-guard.ts';
import type { Location } from '#writeback/location.ts';

/** Names listed of a frozen set. */
const FIRST = 20;

/** What is known of a cell at one moment. Times in milliseconds; `frozenClockMs` is the clock that the frozen set counts by. */
export type CellFacts = {
  /** The cell's watch stands. */
  observing: boolean;
  identity: Identity;
  observedUid: string | undefined;
  location: Location;
  reading: MirrorReading | undefined;
  completeAtMs: number | undefined;
  frozen: FrozenSet | undefined;
  frozenClockMs: number;
};

/** The status of a cell's report, made of what is known now and of the report before (contract section 5, "Freshness"). Pure. */
export function cellReportStatus(facts: CellFacts, before: CellReportStatus | undefined, nowMs: number): CellReportStatus {
  const { reading, location, completeAtMs, observedUid, frozen } = facts;
  const held = Object.entries(reading?.held ?? {}).map(([reason, count]) => ({ reason, count }));
  const renewTime = facts.observing ? timestamp(nowMs) : before?.renewTime;
  return {
    ...(renewTime !== undefined && { renewTime }),
    ...(observedUid !== undefined && { observedClusterUID: observedUid }),
    ...boundClusters(facts.identity, before),
    ...(location.kind === 'resolved' && { location: locationOf(location) }),
    ...(completeAtMs !== undefined && { lastCompleteObservation: timestamp(completeAtMs) }),
    backlog: reading?.queueDepth ?? 0,
    sources: reading?.sources ?? 0,
    copies: reading?.copies ?? 0,
    heldTotal: held.reduce((total, { count }) => total + count, 0),
    held: held.toSorted((left, right) => (left.reason < right.reason ? -1 : 1)),
    ...(frozen !== undefined && { frozen: frozenOf(frozen, nowMs - facts.frozenClockMs) }),
    conditions: conditionsOf(facts).map((condition) => settled(condition, before, nowMs)),
  };
}

/** The clusters that the name was bound to, this one last. */
function boundClusters(identity: Identity, before: CellReportStatus | undefined): Pick<CellReportStatus, 'boundClusterUIDs'> {
  const known = before?.boundClusterUIDs ?? [];
  if (identity.kind !== 'bound') return known.length > 0 ? { boundClusterUIDs: known } : {};
  return { boundClusterUIDs: [...known.filter((uid) => uid !== identity.uid), identity.uid] };
}

/** What stands for exactly this set of keys, whatever their order. */
export function frozenSetName(frozen: FrozenSet): string {
  return digest([...frozen.missing.keys()].toSorted()).slice(0, 16);
}

function frozenOf(frozen: FrozenSet, offsetMs: number): NonNullable<CellReportStatus['frozen']> {
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

type Bare = Omit<Condition, 'lastTransitionTime'>;

function conditionsOf({ observing, identity, location, frozen }: CellFacts): Bare[] {
  const parts = [
    condition('Observed', { holds: observing, reason: observing ? 'Watching' : 'NotObserved', message: 'The watch of the cell stands' }),
    condition('IdentityBound', {
      holds: identity.kind === 'bound',
      reason: identity.kind === 'bound' ? 'Bound' : identity.reason,
      message: 'The cell is the cluster that its name was bound to',
    }),
    condition('LocationResolved', {
      holds: location.kind === 'resolved',
      reason: location.kind === 'resolved' ? location.from : location.reason,
      message: 'The location of the cell is known',
    }),
  ];
  const obstacle = parts.find(({ status }) => status === 'False')?.reason ?? (frozen && 'ShrinkFrozen');
  return [
    ...parts,
    condition('Frozen', {
      holds: frozen !== undefined,
      reason: frozen ? 'ShrinkFrozen' : 'NothingFrozen',
      message: 'Withdrawals wait, since too many sources went missing at once',
    }),
    condition('Ready', {
      holds: obstacle === undefined,
      reason: obstacle ?? 'Mirroring',
      message: 'The hub holds what the cell calls for, as far as nothing is held',
    }),
  ];
}

function condition(type: string, { holds, reason, message }: { holds: boolean; reason: string; message: string }): Bare {
  return { type, status: holds ? 'True' : 'False', reason: reason.charAt(0).toUpperCase() + reason.slice(1), message };
}

function settled(now: Bare, before: CellReportStatus | undefined, nowMs: number): Condition {
  const known = before?.conditions.find(({ type }) => type === now.type);
  return { ...now, lastTransitionTime: known?.status === now.status ? known.lastTransitionTime : timestamp(nowMs) };
}

function locationOf({ name, from, overruled }: Extract<Location, { kind: 'resolved' }>): NonNullable<CellReportStatus['location']> {
  return { name, from, ...(overruled !== undefined && { overruled }) };
}

function timestamp(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}
