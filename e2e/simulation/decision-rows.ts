import type { Tally } from '#e2e/simulation/network/link.ts';

/**
 * The rows of the decision table (contract section 2) and the outcomes of guard and identity (section 5), each with the names under
 * which a run counts it: reasons of the service for the former, what the judge saw at the servers' doors for the latter.
 */
const ROWS: [string, RegExp][] = [
  ['1 location unresolved', /LocationUnread|NoLocationIdentity|AmbiguousLocationIdentity|InvalidLocationName/],
  ['1 identity fenced', /IdentityUnread|IdentityFenced/],
  [
    '2 source unknown',
    /fail(s|ed): (Timeout|Unreachable|Malformed|Unauthorized|Forbidden|NotServed|TooManyRequests|ServerError)|kept NotListed/,
  ],
  ['3 returned copy', /ReturnedCopy|KarmadaManaged/],
  ['4 source absent', /withdrawn SourceAbsent/],
  ['5 source deleting', /withdrawn SourceDeleting/],
  ['5 tenant gone', /withdrawn TenantLabelGone/],
  ['6 source empty', /EmptySource/],
  ['7 routing unresolvable', /RoutingUnresolved|NamespaceUnread/],
  ['7 routing mismatched', /RoutingMismatch/],
  ['8 name taken', /NameTaken/],
  ['9 hub namespace', /HubNamespace(Missing|Terminating)/],
  ['10 copy created', /^created/],
  ['10 copy updated', /^updated/],
  ['10 copy replaced', /^replaced/],
  ['copy in the wrong place', /Misplaced/],
  ['absence believed', /^weak withdrawal believed/],
  ['frozen', /kept ShrinkFrozen/],
  ['frozen after going back', /^freeze begun after going back/],
  ['released by return', /^freeze over/],
  ['released by confirmation', /^weak withdrawal confirmed/],
  ['released by approval', /^weak withdrawal approved/],
  ['approval of another set', /^approval of a set that is over/],
  ['held though confirmed', /^held though confirmed/],
  ['bound at first contact', /^bound at first contact/],
  ['bound anew by an operator', /^bound to another cluster/],
];

/** How often each row was reached. */
export function coverage(decisions: Tally): Tally {
  return new Map(ROWS.map(([row, names]) => [row, sum(decisions, names)]));
}

function sum(tally: Tally, names: RegExp): number {
  return [...tally].reduce((total, [name, times]) => total + (names.test(name) ? times : 0), 0);
}
