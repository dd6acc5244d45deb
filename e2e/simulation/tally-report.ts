import type { Tally } from '#e2e/simulation/network/link.ts';
import { count } from '#e2e/simulation/network/link.ts';

/** What many schedules came to; sums of what each counted. */
export type Totals = {
  schedules: number;
  failed: number[];
  faults: Tally;
  operations: Tally;
  decisions: Tally;
  actions: Tally;
  simulatedMs: number;
};

/** Totals of nothing. */
export function noTotals(): Totals {
  return { schedules: 0, failed: [], faults: new Map(), operations: new Map(), decisions: new Map(), actions: new Map(), simulatedMs: 0 };
}

/** Adds what somebody else has counted. */
export function addTotals(to: Totals, more: Totals): void {
  to.schedules += more.schedules;
  to.simulatedMs += more.simulatedMs;
  to.failed.push(...more.failed);
  for (const part of ['faults', 'operations', 'decisions', 'actions'] as const)
    for (const [name, times] of more[part]) count(to[part], name, times);
}

/** The rows of the decision table (contract section 2) and the reasons by which the service names them. */
const ROWS: [string, RegExp][] = [
  [
    '1 unresolved or fenced',
    /LocationUnread|NoLocationIdentity|AmbiguousLocationIdentity|InvalidLocationName|IdentityUnread|IdentityFenced/,
  ],
  [
    '2 source unknown',
    /fail(s|ed): (Timeout|Unreachable|Malformed|Unauthorized|Forbidden|NotServed|TooManyRequests|ServerError)|kept NotListed/,
  ],
  ['3 returned copy', /ReturnedCopy|KarmadaManaged/],
  ['4 source absent', /withdrawn SourceAbsent/],
  ['5 source leaving', /withdrawn (SourceDeleting|TenantLabelGone)/],
  ['6 source empty', /EmptySource/],
  ['7 routing held', /RoutingUnresolved|RoutingMismatch|NamespaceUnread/],
  ['8 name taken', /NameTaken/],
  ['9 hub namespace', /HubNamespace(Missing|Terminating)/],
  ['10 copy made', /^(created|updated|replaced)/],
  ['shrink guard', /ShrinkFrozen/],
  ['copies in the wrong place', /Misplaced/],
];

/** The totals for people to read. */
export function formatTotals(totals: Totals, tookMs: number): string {
  const rows = ROWS.map(([row, reasons]) => `${row}: ${sum(totals.decisions, reasons)}`);
  return [
    `schedules: ${totals.schedules}, failed: ${totals.failed.length}${totals.failed.length > 0 ? ` (seeds ${totals.failed.join(' ')})` : ''}`,
    `actions: ${list(totals.actions)}`,
    `requests: ${list(totals.operations)}`,
    `faults: ${list(totals.faults)}`,
    `decision rows: ${rows.join(', ')}`,
    `decisions by reason: ${list(new Map([...totals.decisions].filter(([name]) => /^[a-z]/.test(name))))}`,
    `time: ${(tookMs / 1000).toFixed(1)} s for ${(totals.simulatedMs / 3_600_000).toFixed(1)} simulated hours`,
  ].join('\n');
}

function sum(tally: Tally, names: RegExp): number {
  return [...tally].reduce((total, [name, times]) => total + (names.test(name) ? times : 0), 0);
}

function list(tally: Tally): string {
  const sorted = [...tally].toSorted(([, one], [, other]) => other - one);
  return `${sorted.reduce((total, [, times]) => total + times, 0)} (${sorted.map(([name, times]) => `${name} ${times}`).join(', ')})`;
}
