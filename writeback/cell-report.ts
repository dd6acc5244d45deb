import type { CellReportStatus, Condition } from '#api/objects.ts';
import type { Identity } from '#mirror/cluster-identity.ts';
import type { HeldCount } from '#mirror/holds.ts';
import type { MirrorReading } from '#mirror/metrics.ts';
import type { FrozenSet } from '#mirror/shrink-guard.ts';
import { type BareCondition, cellConditions } from '#writeback/cell-conditions.ts';
import { frozenRecord } from '#writeback/frozen-record.ts';
import type { Location } from '#writeback/location.ts';
import { sameTimestamp, timestamp } from '#writeback/timestamp.ts';

/** What is known of a cell at one moment. Times in milliseconds; `frozenClockMs` is the clock that the frozen set counts by. */
export type CellFacts = {
  /** The cell's watch stands. */
  observing: boolean;
  /** Why it cannot be connected or watched, as an error code; undefined while it can, and while that is not known. */
  failure: string | undefined;
  /** An operator has paused the cell. */
  paused: boolean;
  identity: Identity;
  observedUid: string | undefined;
  /** The name that the cluster is known under already, where that is why it is fenced. */
  sharedWith: string | undefined;
  /** The clusters that this run has bound the name to with an operator's consent, in order. */
  boundUids: readonly string[];
  location: Location;
  reading: MirrorReading | undefined;
  held: readonly HeldCount[];
  /** Copies withdrawn since the work for the cell began. */
  withdrawn: number;
  /** The newest version of its slices that the cell has shown. */
  newestVersion: string | undefined;
  completeAtMs: number | undefined;
  frozen: FrozenSet | undefined;
  frozenClockMs: number;
};

/** What the hub holds of the report: its status, and the generation that its spec has reached. */
export type ReportBefore = { status?: CellReportStatus | undefined; generation?: number | undefined };

/**
 * The status of a cell's report, made of what is known now and of the report before (contract section 5, "Freshness"). Pure.
 * What was last seen of a cell is kept until it is seen again; what was announced is for `announcements.ts`.
 */
export function cellReportStatus(facts: CellFacts, before: ReportBefore, nowMs: number): Omit<CellReportStatus, 'announced'> {
  const { reading, location, observedUid, frozen } = facts;
  const { status, generation } = before;
  return {
    ...(generation !== undefined && { observedGeneration: generation }),
    ...times(facts, status, nowMs),
    ...(observedUid !== undefined && { observedClusterUID: observedUid }),
    ...boundClusters(facts, status),
    ...versionOf(facts, status),
    ...(location.kind === 'resolved' && { location: locationOf(location) }),
    backlog: reading?.queueDepth ?? 0,
    sources: reading?.sources ?? 0,
    copies: reading?.copies ?? 0,
    withdrawn: facts.withdrawn,
    ...heldOf(facts.held),
    ...(frozen !== undefined && { frozen: frozenRecord(frozen, nowMs - facts.frozenClockMs) }),
    conditions: reportConditions(facts, before, nowMs),
  };
}

/** The conditions of that status alone, which cost nothing to work out: they tell whether anything is to be said before the next renewal. */
export function reportConditions(facts: CellFacts, { status, generation }: ReportBefore, nowMs: number): Condition[] {
  return cellConditions(facts).map((condition) => settled(condition, { generation, before: status, nowMs }));
}

type Times = Pick<CellReportStatus, 'renewTime' | 'lastContactTime' | 'lastCompleteObservation'>;

/** What is not known now, after a restart say, is what it last was. */
function times({ observing, reading, completeAtMs }: CellFacts, before: CellReportStatus | undefined, nowMs: number): Times {
  const silence = reading?.silenceSeconds;
  const renewTime = observing ? timestamp(nowMs) : before?.renewTime;
  const lastContactTime = silence === undefined ? before?.lastContactTime : sameTimestamp(nowMs - silence * 1000, before?.lastContactTime);
  const lastCompleteObservation = completeAtMs === undefined ? before?.lastCompleteObservation : timestamp(completeAtMs);
  return {
    ...(renewTime !== undefined && { renewTime }),
    ...(lastContactTime !== undefined && { lastContactTime }),
    ...(lastCompleteObservation !== undefined && { lastCompleteObservation }),
  };
}

/** The clusters that the name was bound to, the present one last; also those that it was bound to too shortly for any report to say so. */
function boundClusters(
  { identity, boundUids }: CellFacts,
  before: CellReportStatus | undefined,
): Pick<CellReportStatus, 'boundClusterUIDs'> {
  const present = identity.kind === 'bound' ? [identity.uid] : [];
  const known = new Set([...(before?.boundClusterUIDs ?? []), ...boundUids]);
  const uids = [...[...known].filter((uid) => !present.includes(uid)), ...present];
  return uids.length > 0 ? { boundClusterUIDs: uids } : {};
}

/** How far the cluster has come that the name is bound to. Of one that is fenced nothing is taken over. */
function versionOf(
  { identity, newestVersion }: CellFacts,
  before: CellReportStatus | undefined,
): Pick<CellReportStatus, 'observedVersion'> {
  const isKnown = identity.kind === 'bound' && newestVersion !== undefined;
  const observedVersion = isKnown ? { clusterUID: identity.uid, resourceVersion: newestVersion } : before?.observedVersion;
  return observedVersion === undefined ? {} : { observedVersion };
}

const STATES = { waiting: 'Waiting', refused: 'Refused', kept: 'Kept' } as const;

function heldOf(held: readonly HeldCount[]): Pick<CellReportStatus, 'waiting' | 'refused' | 'kept' | 'held'> {
  const total = (state: HeldCount['state']) => held.filter((each) => each.state === state).reduce((sum, { count }) => sum + count, 0);
  const rows = held.map(({ state, ...row }) => ({ state: STATES[state], ...row }));
  return {
    waiting: total('waiting'),
    refused: total('refused'),
    kept: total('kept'),
    held: rows.toSorted((one, other) => (`${one.reason} ${one.state}` < `${other.reason} ${other.state}` ? -1 : 1)),
  };
}

/** The time of a condition moves with its status alone. */
function settled(
  now: BareCondition,
  { before, generation, nowMs }: { before: CellReportStatus | undefined; generation: number | undefined; nowMs: number },
): Condition {
  const known = before?.conditions.find(({ type }) => type === now.type);
  const lastTransitionTime = known?.status === now.status ? known.lastTransitionTime : timestamp(nowMs);
  return { ...now, lastTransitionTime, ...(generation !== undefined && { observedGeneration: generation }) };
}

function locationOf({ name, from, overruled }: Extract<Location, { kind: 'resolved' }>): NonNullable<CellReportStatus['location']> {
  return { name, from, ...(overruled !== undefined && { overruled }) };
}
