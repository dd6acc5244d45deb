import { startProxied } from '#e2e/scenario/proxied.ts';
import type { Proxied } from '#e2e/scenario/proxied.ts';
import { readNamespace, slicesOf } from '#e2e/scenario/slices.ts';
import type { Slices } from '#e2e/scenario/slices.ts';
import type { Namespace } from '#api/objects.ts';
import type { AuditEvent } from '#planes/audit-log.ts';
import { AuditedRequests } from '#planes/audited-requests.ts';
import { SERVICE_USER } from '#planes/plane-files.ts';
import type { Plane } from '#planes/plane.ts';

/** The hub of a scenario. */
export type HubSide = Proxied & {
  slices: Slices;
  readNamespace(name: string): Promise<Namespace | undefined>;
  /** A point in time, for `writesSince`. */
  mark(): number;
  /**
   * What the service has written on the hub since then, as `verb namespace/name`, by the hub's own audit log.
   * Its reports and Events are left out: nobody carries them on, reports are renewed all the time, and each suite begins with Events
   * about what an earlier one has left in a report.
   */
  writesSince(mark: number): string[];
  /** The Events that the service has asked the hub for since then, by the same log. */
  eventsSince(mark: number): string[];
};

const READS = ['get', 'list', 'watch'];

/** Puts a proxy of the scenario's own before the hub. */
export async function startHubSide(plane: Plane, folder: string): Promise<HubSide> {
  return {
    ...(await startProxied(plane, folder)),
    slices: slicesOf(plane.admin),
    readNamespace: (name) => readNamespace(plane.admin, name),
    mark: () => auditOf(plane).length,
    writesSince: (mark) => serviceWrites(auditOf(plane).slice(mark).filter(isForOthers)),
    eventsSince: (mark) => serviceWrites(auditOf(plane).slice(mark).filter(isEvent)),
  };
}

function isForOthers(event: AuditEvent): boolean {
  return event.objectRef?.resource !== 'cellreports' && !isEvent(event);
}

function isEvent({ objectRef }: AuditEvent): boolean {
  return objectRef?.resource === 'events';
}

/** Every request of the service among these that was not a read, as `verb namespace/name`. */
export function serviceWrites(events: readonly AuditEvent[]): string[] {
  const writes = events.filter(({ user, verb }) => user.username === SERVICE_USER && !READS.includes(verb));
  return writes.map(({ verb, objectRef }) => `${verb} ${objectRef?.namespace ?? ''}/${objectRef?.name ?? ''}`);
}

/**
 * The requests to a plane, see `AuditedRequests`. Each line of its audit log is read once: many suites ask, and it grows for as long as they run.
 * @throws {Error} Where the plane keeps none.
 */
export function auditOf(plane: Plane): readonly AuditEvent[] {
  const requests = AUDITS.get(plane) ?? new AuditedRequests(plane.auditLog);
  AUDITS.set(plane, requests);
  return requests.read();
}

const AUDITS = new WeakMap<Plane, AuditedRequests>();
