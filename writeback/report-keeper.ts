import { isDeepStrictEqual } from 'node:util';
import { WRITEBACK_FIELD_MANAGER } from '#api/field-managers.ts';
import type { Announced, CellReport, CellReportStatus, ObjectMeta } from '#api/objects.ts';
import { CELL_REPORTS } from '#api/resources.ts';
import { applyObject } from '#kube/apply.ts';
import { backoffMs } from '#kube/backoff.ts';
import type { Client } from '#kube/client.ts';
import { createObject } from '#kube/create.ts';
import { createEvent } from '#kube/create-event.ts';
import { isApiError } from '#kube/errors.ts';
import { FailureLog } from '#kube/failure-log.ts';
import type { Log } from '#kube/log.ts';
import { announcementEvent } from '#writeback/announcement-event.ts';
import { type Announcement, announcementsOf, withAnnounced } from '#writeback/announcements.ts';
import { type CellFacts, cellReportStatus, reportConditions } from '#writeback/cell-report.ts';

/** Between two renewals. A reader takes a report for expired after four of them (contract section 5). */
const RENEW_MS = 15_000;
/** After a write that was refused or lost. The cap is how late a report may be renewed once the hub takes it again. */
const BACKOFF = { baseMs: 1_000, capMs: 15_000 };

/** What is read of a report: the binding, an operator's word, and what it said last. */
export type ReportReading = {
  uid?: string | undefined;
  resourceVersion?: string | undefined;
  generation?: number | undefined;
  clusterUid: string | undefined;
  approve: string | undefined;
  hold: boolean;
  status: CellReportStatus | undefined;
};

/** What a keeper works with: `look` reads the report live, undefined where there is none. */
type KeeperOptions = { hub: Client; cell: ReportedCell; look: (signal: AbortSignal) => Promise<ReportReading | undefined>; log: Log };

type ReportId = Pick<ReportReading, 'uid' | 'generation'>;

/** What a report needs to know of its cell, and whom it tells of an operator's word. */
export type ReportedCell = { name: string; facts(): CellFacts; heed(report: ReportReading): void };

/** Keeps the report of one cell: binds its name, renews what is said of it, and announces what an operator must act on. */
export class ReportKeeper {
  readonly #hub: Client;
  readonly #cell: ReportedCell;
  readonly #look: KeeperOptions['look'];
  readonly #failures: FailureLog;
  readonly #events: FailureLog;
  /** When it was last renewed, and before when it is not tried again, by the monotonic clock. */
  #renewedMs = -Infinity;
  #notBeforeMs = -Infinity;
  #attempt = 0;
  /** The hub has said that its report is not as the watch shows it, or that there is one, or none. */
  #contradicted = false;
  /** What this run has told; before it has told anything, what the report says. A second run that sees things otherwise does not matter. */
  #told: readonly Announced[] | undefined;

  constructor({ hub, cell, look, log }: KeeperOptions) {
    this.#hub = hub;
    this.#cell = cell;
    this.#look = look;
    const ofCell = log.child({ cell: cell.name });
    this.#failures = new FailureLog(ofCell, {
      fails: 'Cannot renew the report of a cell',
      works: 'The report of a cell is renewed again',
    });
    this.#events = new FailureLog(ofCell, { fails: 'Cannot write an Event', works: 'Events are written again' });
  }

  /**
   * Brings the report up to date, if it is time to. One that cannot be written is no reason to stop anything: its age tells.
   * `shown`: what the watch shows. Where the hub contradicts it the report is read live: the watch may have lost it, or an event of it.
   */
  async keep(shown: ReportReading | undefined, signal: AbortSignal): Promise<void> {
    try {
      if (shown) this.#cell.heed(shown);
      if (this.#hub.clock.monotonicMs() < this.#notBeforeMs) return;
      const before = this.#contradicted ? await this.#look(signal) : shown;
      this.#contradicted = false;
      if (!(await this.#renew(before, signal))) return;
      this.#attempt = 0;
      this.#failures.worked();
    } catch (error) {
      if (!signal.aborted) this.#failed(error);
    }
  }

  #failed(error: unknown): void {
    const { clock, random } = this.#hub;
    this.#contradicted ||= isApiError(error, 'Conflict', 'NotFound');
    const askedMs = isApiError(error) ? (error.retryAfterMs ?? 0) : 0;
    const delayMs = Math.max(askedMs, backoffMs(this.#attempt, random, BACKOFF));
    this.#attempt += 1;
    this.#notBeforeMs = clock.monotonicMs() + delayMs;
    this.#failures.failed(error, delayMs);
  }

  /** @returns whether the hub has taken a report. A change of a condition is not left until the next renewal. */
  async #renew(before: ReportReading | undefined, signal: AbortSignal): Promise<boolean> {
    const { clock } = this.#hub;
    const early = this.#cell.facts();
    const bound = early.identity.kind === 'bound' ? early.identity.uid : undefined;
    const settled = before?.clusterUid !== undefined || bound === undefined ? before : undefined;
    const report = settled ?? (await this.#bind(before, bound, signal));
    if (!report) return false;
    // Where the hub was asked, the facts are others by now. They cost too much to be worked out twice each second.
    const facts = settled ? early : this.#cell.facts();
    const said = before?.status;
    const about = { status: said, generation: report.generation };
    const nowMs = clock.wallMs();
    const conditions = reportConditions(facts, about, nowMs);
    if (clock.monotonicMs() - this.#renewedMs < RENEW_MS && isDeepStrictEqual(conditions, said?.conditions)) return false;
    // Worked out before anything is waited for: what is frozen may be no longer by then.
    const now = cellReportStatus(facts, about, nowMs);
    this.#told ??= said?.announced ?? [];
    this.#told = await this.#announce(announcementsOf(conditions, this.#told, nowMs), { uid: report.uid, signal });
    const status = { ...now, ...(this.#told.length > 0 && { announced: [...this.#told] }) };
    if (!isDeepStrictEqual(status, said)) await this.#apply({ status }, { signal, subresource: 'status' });
    this.#renewedMs = clock.monotonicMs();
    return true;
  }

  /**
   * The binding is recorded once; afterwards it is an operator's to change. So a report that is not known is made and never overwritten,
   * and the binding is written into just that version of one that was read: one that was long on its way undoes nothing.
   * @returns which object the report is now; undefined while the hub has one that its watch has not shown yet.
   */
  async #bind(before: ReportReading | undefined, clusterUID: string | undefined, signal: AbortSignal): Promise<ReportId | undefined> {
    const spec = clusterUID === undefined ? {} : { spec: { clusterUID } };
    if (!before) return this.#create(spec, signal);
    const { uid, resourceVersion } = before;
    return this.#apply(spec, { signal, version: { ...(uid && { uid }), ...(resourceVersion && { resourceVersion }) } });
  }

  async #create(part: Omit<CellReport, 'metadata'>, signal: AbortSignal): Promise<ReportId | undefined> {
    const how = { resource: CELL_REPORTS, fieldManager: WRITEBACK_FIELD_MANAGER, priority: 'live', signal } as const;
    try {
      return (await createObject<CellReport>(this.#hub, this.#report(part), how)).metadata;
    } catch (error) {
      if (!isApiError(error, 'AlreadyExists')) throw error;
      this.#contradicted = true;
      return undefined;
    }
  }

  /** Told one after the other, before the report says that they were. @returns what has been told by now. */
  async #announce(news: readonly Announcement[], about: { uid: string | undefined; signal: AbortSignal }): Promise<readonly Announced[]> {
    let told = this.#told ?? [];
    for (const each of news) if (await this.#tell(each, about)) told = withAnnounced(told, [each]);
    return told;
  }

  /** @returns false when it is worth telling again at the next renewal; a hub that refuses Events is left alone. */
  async #tell(announcement: Announcement, { uid, signal }: { uid: string | undefined; signal: AbortSignal }): Promise<boolean> {
    const event = announcementEvent(announcement, { cell: this.#cell.name, uid, nowMs: this.#hub.clock.wallMs() });
    try {
      await createEvent(this.#hub, event, { fieldManager: WRITEBACK_FIELD_MANAGER, signal });
      this.#events.worked();
      return true;
    } catch (error) {
      signal.throwIfAborted();
      this.#events.failed(error);
      return isApiError(error, 'Forbidden', 'Invalid', 'NotServed', 'NotFound');
    }
  }

  async #apply(
    part: Omit<CellReport, 'metadata'>,
    { version, ...options }: { signal: AbortSignal; subresource?: 'status'; version?: Pick<ObjectMeta, 'uid' | 'resourceVersion'> },
  ): Promise<ObjectMeta> {
    const how = { ...options, resource: CELL_REPORTS, fieldManager: WRITEBACK_FIELD_MANAGER, force: true, priority: 'live' } as const;
    return (await applyObject<CellReport>(this.#hub, this.#report(part, version), how)).object.metadata;
  }

  #report(part: Omit<CellReport, 'metadata'>, version: Pick<ObjectMeta, 'uid' | 'resourceVersion'> = {}): CellReport {
    const { group, version: served, kind } = CELL_REPORTS;
    return { apiVersion: `${group}/${served}`, kind, metadata: { name: this.#cell.name, ...version }, ...part };
  }
}
