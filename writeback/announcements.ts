import { APPROVE_FROZEN, HOLD_FROZEN } from '#api/keys.ts';
import type { Announced, Condition } from '#api/objects.ts';
import { timestamp } from '#writeback/timestamp.ts';

/** Something that an operator is to be told of a condition, once. */
export type Announcement = {
  /** What is then remembered as told. */
  announced: Announced;
  /** What was being done, and what to do about it. */
  action: string;
  note: string;
  /** The same for this change alone, also where it is told once more since nobody knows whether it has been. */
  occurrence: string;
};

/** The conditions that are announced: what is being done when they go wrong, and when they are wrong. */
const ANNOUNCED: Record<string, { action: string; isWrong: (condition: Condition) => boolean }> = {
  IdentityBound: { action: 'BindIdentity', isWrong: ({ status }) => status === 'False' },
  LocationResolved: {
    action: 'ResolveLocation',
    isWrong: ({ status, reason }) => status === 'False' || reason === 'LocationMismatch',
  },
  Frozen: { action: 'WithdrawCopies', isWrong: ({ status }) => status === 'True' },
};

/** What to do, by reason (`docs/runbook.md`). */
const ADVICE: Record<string, string> = {
  IdentityFenced:
    'Nothing is published or withdrawn for it. Put its kubeconfig right; or, where the cell was rebuilt on purpose, remove spec.clusterUID of this report',
  IdentityShared:
    'Nothing is published or withdrawn for this one. Take one of the two names out of the configuration, or put its kubeconfig right',
  NoLocationIdentity: 'Label its Karmada Cluster with its location, or set the location in the configuration',
  AmbiguousLocationIdentity: 'Leave one serving location for the cell, or set the location in the configuration',
  InvalidLocationName: 'Rename the location: a DNS label of at most 63 characters',
  LocationMismatch: 'Put the configuration right, or the label of the Karmada Cluster',
  ShrinkFrozen:
    'See status.frozen. ' +
    `If the loss is real, approve it: annotate this report with ${APPROVE_FROZEN}=<status.frozen.set>. ` +
    `If not, pin it with ${HOLD_FROZEN}=true and mend the cell`,
};

/**
 * What to tell an operator, from the conditions now and from what was told last of each. Pure.
 * Told is what newly is wrong, or wrong in another way, and what no longer is. Of a condition that is `Unknown` nothing is said and
 * nothing forgotten, so that a restart, which knows nothing for a while, tells nothing again.
 */
export function announcementsOf(conditions: readonly Condition[], told: readonly Announced[], nowMs: number): Announcement[] {
  return conditions.flatMap((condition) => {
    const rule = ANNOUNCED[condition.type];
    if (!rule || condition.status === 'Unknown') return [];
    const last = told.find((each) => each.condition === condition.type);
    const isWrong = rule.isWrong(condition);
    if (isWrong ? last?.reason === condition.reason && last.message === condition.message : last?.type !== 'Warning') return [];
    return [announcement(condition, { last, action: rule.action, type: isWrong ? 'Warning' : 'Normal', nowMs })];
  });
}

/** What has been told by now: the new ones in the place of those about the same condition, in the order of the conditions. */
export function withAnnounced(told: readonly Announced[], news: readonly Announcement[]): Announced[] {
  const all = new Map([...told, ...news.map(({ announced }) => announced)].map((each) => [each.condition, each]));
  return Object.keys(ANNOUNCED).flatMap((condition) => all.get(condition) ?? []);
}

function announcement(
  { type: condition, reason, message }: Condition,
  { last, action, type, nowMs }: { last: Announced | undefined; action: string; type: Announced['type']; nowMs: number },
): Announcement {
  const advice = type === 'Warning' ? ADVICE[reason] : undefined;
  return {
    announced: { condition, type, reason, message, time: timestamp(nowMs) },
    action,
    note: advice === undefined ? message : `${message}. ${advice}`,
    occurrence: [condition, reason, message, last?.time ?? 'first'].join('/'),
  };
}
