import { POLICIES_FIELD_MANAGER } from '#api/field-managers.ts';
import type { Client } from '#kube/client.ts';
import { createEvent } from '#kube/create-event.ts';
import type { Log } from '#kube/log.ts';
import { reportEvent } from '#policies/report-event.ts';
import type { Report, ReportReason } from '#policies/reports.ts';

/** Tells an operator of each state that newly appears, by a count, a log line and an Event on the hub; of one that lasts, nothing more. */
export class Reporter {
  readonly #options: { hub: Client; log: Log; count: (reason: ReportReason) => void };
  /** By location: what was reported and still stands. */
  readonly #standing = new Map<string, ReadonlySet<string>>();

  constructor(options: { hub: Client; log: Log; count: (reason: ReportReason) => void }) {
    this.#options = options;
  }

  /** True while something was reported of the location, and still stands. */
  has(location: string): boolean {
    return this.#standing.has(location);
  }

  /** Takes what is to be said of a location now. An Event that cannot be written is logged: nothing else waits for it. */
  async note(location: string, reports: readonly Report[], signal: AbortSignal): Promise<void> {
    const known = this.#standing.get(location);
    const isNew = (report: Report) => known?.has(keyOf(report)) !== true;
    if (reports.length === 0) this.#standing.delete(location);
    else this.#standing.set(location, new Set(reports.map(keyOf)));
    for (const report of reports.filter(isNew)) await this.#tell(location, report, signal);
  }

  async #tell(location: string, report: Report, signal: AbortSignal): Promise<void> {
    const { hub, log, count } = this.#options;
    const { reason, about } = report;
    const fields = { location, reason, kind: about.resource.kind, name: about.name };
    count(reason);
    log.warn(fields, 'A location needs an operator');
    try {
      await createEvent(hub, reportEvent(report, hub.clock.wallMs()), { fieldManager: POLICIES_FIELD_MANAGER, signal });
    } catch (error) {
      if (!signal.aborted) log.warn({ ...fields, err: error }, 'Cannot write an Event');
    }
  }
}

function keyOf({ reason, about }: Report): string {
  return `${reason}/${about.resource.kind}`;
}
