import type { AuditEvent } from '#planes/audit-log.ts';
import { AuditTail } from '#planes/audit-tail.ts';

/** The requests to one API server, each once and in the order in which it had them, by its audit log. */
export class AuditedRequests {
  readonly #tail: AuditTail;
  readonly #requests: AuditEvent[] = [];
  /** Where each one is, by its audit id. */
  readonly #places = new Map<string, number>();

  /** @throws {Error} Where the plane keeps no audit log. */
  constructor(file: string | undefined) {
    this.#tail = new AuditTail(file);
  }

  /** All of them by now, each at the stage to which it has come. A write whose effect has been seen is among them, answered or not. */
  read(): readonly AuditEvent[] {
    for (const event of this.#tail.read()) this.#take(event);
    return this.#requests;
  }

  #take(event: AuditEvent): void {
    const place = this.#places.get(event.auditID) ?? this.#requests.length;
    this.#places.set(event.auditID, place);
    this.#requests[place] = event;
  }
}
