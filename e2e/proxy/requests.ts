import type { SeenRequest } from '#e2e/proxy/fault.ts';
import { matchesRequest } from '#e2e/proxy/script.ts';
import type { RequestMatch } from '#e2e/proxy/script.ts';

/** Counts what came through, by method and path. A watch counts when it starts. */
export class RequestLog {
  readonly #seen: SeenRequest[] = [];

  /** Notes one request. */
  add(request: SeenRequest): void {
    this.#seen.push(request);
  }

  /** How many of the noted requests match. */
  count(match: RequestMatch = {}): number {
    return this.#seen.filter((request) => matchesRequest(match, request)).length;
  }

  /** Requests by `METHOD path`, for a failing test to print. */
  byPath(): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const { method, path } of this.#seen) counts[`${method} ${path}`] = (counts[`${method} ${path}`] ?? 0) + 1;
    return counts;
  }
}
