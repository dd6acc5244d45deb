import type { EventFault, FaultSource, RequestFault, SeenEvent, SeenRequest } from '#e2e/proxy/fault.ts';

/** Which requests a rule is about. What is left out matches everything. */
export type RequestMatch = { method?: string; path?: RegExp; watch?: boolean; query?: Record<string, string>; token?: string };

/** Which events a rule is about, in which watches. `endOfList` is the bookmark that ends a streamed list. */
export type EventMatch = { type?: string; name?: string; endOfList?: boolean; of?: RequestMatch };

/** A rule in force: how often it has struck, and the way to take it back. */
export type RuleInForce = { readonly strikes: number; lift(): void };

/**
 * How often a rule strikes before it is spent; without `times` until it is lifted.
 * `when` is asked each time that it could, and lets it pass by answering no: a rule that strikes by chance.
 */
export type Strikes = { times?: number; when?: () => boolean };

const END_OF_LIST = 'k8s.io/initial-events-end';

type Rule<M, F> = { match: M; fault: F; left: number; strikes: number; when: () => boolean };

/** Faults by rules that a test sets and lifts while the proxy runs. The first rule that matches strikes. */
export class FaultScript implements FaultSource {
  #requestRules: Rule<RequestMatch, RequestFault>[] = [];
  #eventRules: Rule<EventMatch, EventFault>[] = [];

  /** Lets requests that match go wrong. */
  request(match: RequestMatch, fault: RequestFault, strikes?: Strikes): RuleInForce {
    return enforce(this.#requestRules, { match, fault }, strikes);
  }

  /** Lets events that match go wrong, also in watches that are open already. */
  event(match: EventMatch, fault: EventFault, strikes?: Strikes): RuleInForce {
    return enforce(this.#eventRules, { match, fault }, strikes);
  }

  /** Lifts every rule. Streams that have stalled stay so. */
  clear(): void {
    this.#requestRules = [];
    this.#eventRules = [];
  }

  onRequest(request: SeenRequest): RequestFault | undefined {
    return strike(this.#requestRules, (match) => matchesRequest(match, request));
  }

  onEvent(request: SeenRequest, event: SeenEvent): EventFault | undefined {
    return strike(this.#eventRules, (match) => matchesRequest(match.of ?? {}, request) && matchesEvent(match, event));
  }
}

function enforce<M, F>(
  rules: Rule<M, F>[],
  what: { match: M; fault: F },
  { times = Infinity, when = () => true }: Strikes = {},
): RuleInForce {
  const rule = { ...what, left: times, strikes: 0, when };
  rules.push(rule);
  return {
    get strikes() {
      return rule.strikes;
    },
    lift: () => void (rule.left = 0),
  };
}

function strike<M, F>(rules: readonly Rule<M, F>[], matches: (match: M) => boolean): F | undefined {
  const rule = rules.find(({ left, match, when }) => left > 0 && matches(match) && when());
  if (rule === undefined) return undefined;
  rule.left -= 1;
  rule.strikes += 1;
  return rule.fault;
}

/** True when the request is one of those meant. */
export function matchesRequest({ method, path, watch, token, query = {} }: RequestMatch, request: SeenRequest): boolean {
  if (method !== undefined && method !== request.method) return false;
  if (path !== undefined && !path.test(request.path)) return false;
  if (watch !== undefined && watch !== request.watch) return false;
  if (token !== undefined && token !== request.token) return false;
  return Object.entries(query).every(([key, value]) => request.query.get(key) === value);
}

function matchesEvent({ type, name, endOfList }: EventMatch, event: SeenEvent): boolean {
  if (type !== undefined && type !== event.type) return false;
  if (name !== undefined && name !== event.object.metadata?.name) return false;
  if (endOfList === undefined) return true;
  return endOfList === (event.object.metadata?.annotations?.[END_OF_LIST] === 'true');
}
