import type { Condition } from '#api/objects.ts';
import type { CellFacts } from '#writeback/cell-report.ts';

/** What is so now; when it became so is for whoever knows what was so before. */
export type BareCondition = Pick<Condition, 'type' | 'status' | 'reason' | 'message'>;

/**
 * The conditions of a cell, in Kubernetes' conventions (contract section 5). `Unknown` is what nobody has been able to look at yet;
 * `Ready` is the sum of the others, and names the first that is in its way. Pure.
 */
export function cellConditions(facts: CellFacts): BareCondition[] {
  const parts = [observed(facts), identityBound(facts), locationResolved(facts)];
  const doubts = [pausedCondition(facts), frozenCondition(facts)];
  const doubt = doubts.find(({ status }) => status !== 'False') ?? sharedLocation(facts);
  const obstacle = parts.find(({ status }) => status !== 'True') ?? doubt;
  return [...parts, ...doubts, ready(obstacle)];
}

function observed({ observing, failure }: CellFacts): BareCondition {
  const type = 'Observed';
  if (observing) return { type, status: 'True', reason: 'Watching', message: 'The watch of the cell stands' };
  const why = failure === undefined ? '' : ` (${failure})`;
  return { type, status: 'False', reason: 'NotObserved', message: `There is no watch of the cell${why}: its copies stay as they are` };
}

function identityBound({ identity, observedUid, sharedWith }: CellFacts): BareCondition {
  const type = 'IdentityBound';
  if (identity.kind === 'bound')
    return { type, status: 'True', reason: 'Bound', message: 'The cell is the cluster that its name was bound to' };
  if (identity.reason === 'IdentityUnread')
    return { type, status: 'Unknown', reason: 'IdentityUnread', message: 'The cell has not said yet which cluster it is' };
  if (sharedWith !== undefined)
    return { type, status: 'False', reason: 'IdentityShared', message: `The same cluster stands behind the name "${sharedWith}"` };
  const message = `Another cluster answers than the one that the name was bound to, with UID ${observedUid ?? 'unknown'}`;
  return { type, status: 'False', reason: 'IdentityFenced', message };
}

const UNRESOLVED = {
  LocationUnread: 'The serving locations of the cell have not been read yet',
  NoLocationIdentity: 'No serving location is delivered to the cell, and none is configured',
  AmbiguousLocationIdentity: 'Several serving locations are delivered to the cell, and none is configured',
  InvalidLocationName: 'The name of the delivered serving location is no DNS label',
} as const;

function locationResolved({ location }: CellFacts): BareCondition {
  const type = 'LocationResolved';
  if (location.kind === 'unresolved') {
    const status = location.reason === 'LocationUnread' ? 'Unknown' : 'False';
    return { type, status, reason: location.reason, message: UNRESOLVED[location.reason] };
  }
  const { name, from, overruled } = location;
  if (overruled !== undefined) {
    const message = `The delivered location "${name}" overrules the configured one, "${overruled}"`;
    return { type, status: 'True', reason: 'LocationMismatch', message };
  }
  return { type, status: 'True', reason: from === 'delivered' ? 'Delivered' : 'Configured', message: `The location is "${name}"` };
}

function pausedCondition({ paused }: CellFacts): BareCondition {
  return paused
    ? { type: 'Paused', status: 'True', reason: 'Paused', message: 'The configuration says that the copies stay as they are' }
    : { type: 'Paused', status: 'False', reason: 'NotPaused', message: 'The configuration lets copies be made, changed and withdrawn' };
}

/** Until a complete observation has ended, nobody can tell: a restart must not look like the end of a doubt. */
function frozenCondition({ frozen, completeAtMs }: CellFacts): BareCondition {
  const type = 'Frozen';
  if (frozen) {
    const message = 'Withdrawals wait, since too many sources went missing at once';
    return { type, status: 'True', reason: 'ShrinkFrozen', message };
  }
  return completeAtMs !== undefined
    ? { type, status: 'False', reason: 'NothingFrozen', message: 'No withdrawal is doubted' }
    : { type, status: 'Unknown', reason: 'NotListed', message: 'The sources have not been listed in full yet' };
}

/** No condition of its own: it is in the way of `Ready` alone, and of nothing that is published (docs/decisions/0003). */
function sharedLocation({ reading }: CellFacts): BareCondition | undefined {
  const others = reading?.others ?? 0;
  if (others === 0) return undefined;
  const message = `${others} copies at this location have their source in another cluster`;
  return { type: 'LocationShared', status: 'True', reason: 'LocationShared', message };
}

function ready(obstacle: BareCondition | undefined): BareCondition {
  const type = 'Ready';
  if (obstacle) return { type, status: 'False', reason: obstacle.reason, message: obstacle.message };
  return { type, status: 'True', reason: 'Mirroring', message: 'The hub holds what the cell calls for, as far as nothing is held' };
}
