import type { Tally } from '#e2e/simulation/network/link.ts';
import { coverage } from '#e2e/simulation/decision-rows.ts';
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

/** The totals for people to read. */
export function formatTotals(totals: Totals, tookMs: number): string {
  const rows = [...coverage(totals.decisions)].map(([row, times]) => `${row}: ${times}`);
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

function list(tally: Tally): string {
  const sorted = [...tally].toSorted(([, one], [, other]) => other - one);
  return `${sorted.reduce((total, [, times]) => total + times, 0)} (${sorted.map(([name, times]) => `${name} ${times}`).join(', ')})`;
}
