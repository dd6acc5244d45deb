import { Counter, type Registry } from '@prometheus-io/client';
import { REPORT_REASONS, type ReportReason } from '#policies/reports.ts';

/** Registers the count of reported states, every series at 0. @returns how to count one. */
export function createReportCounter(registry: Registry): (reason: ReportReason) => void {
  const reports = new Counter({
    name: 'fedhub_location_reports_total',
    help: 'States of a location that newly appeared and need an operator, by reason',
    labelNames: ['reason'],
    registers: [registry],
  });
  for (const reason of REPORT_REASONS) reports.inc({ reason }, 0);
  return (reason) => reports.inc({ reason });
}
