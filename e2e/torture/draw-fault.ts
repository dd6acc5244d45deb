import type { Random } from '#e2e/simulation/random.ts';
import type { EventFault, RequestFault } from '#e2e/proxy/fault.ts';
import type { EventMatch, RequestMatch, Strikes } from '#e2e/proxy/script.ts';

/** The kind of plane that a fault is drawn for. */
export type Side = 'hub' | 'cell';

/** What happens to every connection at once. */
export type ConnectionFault = 'cut' | 'refuse' | 'blackHole' | 'swallow' | 'changeAuthority';

/** One thing that goes wrong between the service and a plane; `kind` names it in the counts. */
export type DrawnFault = { kind: string } & (
  | { of: 'requests'; match: RequestMatch; fault: RequestFault; strikes: Strikes }
  | { of: 'events'; match: EventMatch; fault: EventFault; strikes: Strikes }
  | { of: 'connections'; fault: ConnectionFault }
);

type Draw = (random: Random, targets: readonly RequestMatch[]) => { match: RequestMatch; fault: RequestFault };

const LISTS: RequestMatch = { method: 'GET', path: /\/endpointslices$/, watch: false };
const READS: RequestMatch = { method: 'GET', path: /\/endpointslices\/./ };
const WATCHES: RequestMatch = { watch: true };
const STREAMED_LISTS: RequestMatch = { watch: true, query: { sendInitialEvents: 'true' } };
const NAMESPACES: RequestMatch = { path: /\/namespaces$/ };
const WRITES: readonly RequestMatch[] = [{ method: 'PATCH' }, { method: 'DELETE' }];

/** What a failing request may be about. What matters most is drawn most: reads of one source, and writes. */
const TARGETS: Readonly<Record<Side, readonly RequestMatch[]>> = {
  cell: [{}, {}, LISTS, LISTS, READS, READS, READS, READS, WATCHES, STREAMED_LISTS, NAMESPACES, { path: /\/kube-system$/ }],
  hub: [{}, {}, ...WRITES, ...WRITES, READS, READS, WATCHES, STREAMED_LISTS, NAMESPACES],
};

/** Every way in which the proxy lets requests go wrong. */
const REQUEST_FAULTS = {
  reset: anywhere({ kind: 'reset' }),
  hang: anywhere({ kind: 'hang' }),
  delay: (random, targets) => ({ match: random.pick(targets), fault: { kind: 'delay', ms: random.integer(50, 1_500) } }),
  status: (random, targets) => ({
    match: random.pick(targets),
    fault: { kind: 'status', status: random.pick([401, 403, 404, 410, 500, 503] as const) },
  }),
  'too-many': (random, targets) => ({
    match: random.pick(targets),
    fault: { kind: 'status', status: 429, retryAfterSeconds: random.integer(0, 2) },
  }),
  'not-served': anywhere({ kind: 'not-served' }),
  malformed: anywhere({ kind: 'malformed' }),
  html: anywhere({ kind: 'html' }),
  truncate: (random, targets) => ({ match: random.pick(targets), fault: { kind: 'truncate', afterBytes: random.integer(1, 4_000) } }),
  'write-refused': (random) => ({ match: random.pick(WRITES), fault: { kind: 'status', status: random.pick([409, 422] as const) } }),
  'empty-list': () => ({ match: LISTS, fault: { kind: 'empty-list' } }),
  'empty-first-page': () => ({ match: LISTS, fault: { kind: 'empty-first-page' } }),
  'lost-continue': (random) => ({ match: LISTS, fault: { kind: 'lost-continue', objects: random.integer(1, 4) } }),
  'older-list': (random) => ({ match: LISTS, fault: { kind: 'older-list', versions: random.integer(1, 1_000) } }),
  'streamed-list-refused': () => ({ match: STREAMED_LISTS, fault: { kind: 'status', status: 422 } }),
  'error-event': (random) => ({ match: WATCHES, fault: { kind: 'error-event', code: random.pick([410, 429, 500] as const) } }),
} satisfies Record<string, Draw>;

/** A list without its objects is the lie that matters most. Writes are refused where there are any. */
const WEIGHTS: Readonly<Record<Side, Record<keyof typeof REQUEST_FAULTS, number>>> = {
  cell: weights({ 'write-refused': 0, 'empty-list': 5, 'lost-continue': 2 }),
  hub: weights({ 'write-refused': 3 }),
};

/** Every way in which it lets events of a watch go wrong. */
const EVENT_FAULTS = {
  'dropped-event': { match: { endOfList: false }, fault: 'drop' },
  'dropped-deletion': { match: { type: 'DELETED' }, fault: 'drop' },
  'missing-end-bookmark': { match: { endOfList: true }, fault: 'drop' },
  'stalled-watch': { match: {}, fault: 'stall' },
  'reset-watch': { match: {}, fault: 'reset' },
} satisfies Record<string, { match: EventMatch; fault: EventFault }>;

/** The first three cost nothing to get over; what falls silent is noticed only by a deadline. */
const CONNECTION_FAULTS = { cut: 4, refuse: 3, changeAuthority: 1, blackHole: 1, swallow: 1 } satisfies Record<ConnectionFault, number>;

/** Every kind that can be drawn, for whoever counts them. */
export const FAULT_KINDS = [...Object.keys(REQUEST_FAULTS), ...Object.keys(EVENT_FAULTS), ...Object.keys(CONNECTION_FAULTS)];

/** Draws something that goes wrong: what, with which requests, how often, and how many times until it is over by itself. */
export function drawFault(random: Random, side: Side): DrawnFault {
  const of = random.weighted({ requests: 7, events: 2, connections: 2 });
  if (of === 'connections') {
    const fault = random.weighted(CONNECTION_FAULTS);
    return { of, kind: fault, fault };
  }
  const strikes = { times: random.pick([1, 5, Infinity, Infinity]), when: byChance(random) };
  if (of === 'events') {
    const kind = random.pick(keysOf(EVENT_FAULTS));
    return { of, kind, ...EVENT_FAULTS[kind], strikes };
  }
  const kind = random.weighted(WEIGHTS[side]);
  return { of, kind, ...REQUEST_FAULTS[kind](random, TARGETS[side]), strikes };
}

function anywhere(fault: RequestFault): Draw {
  return (random, targets) => ({ match: random.pick(targets), fault });
}

function weights(others: Partial<Record<keyof typeof REQUEST_FAULTS, number>>): Record<keyof typeof REQUEST_FAULTS, number> {
  const even = { reset: 1, hang: 1, delay: 1, status: 3, 'too-many': 1, 'not-served': 1, malformed: 1, html: 1, truncate: 1 };
  const lies = { 'empty-list': 1, 'empty-first-page': 1, 'lost-continue': 1, 'older-list': 1 };
  return { ...even, ...lies, 'write-refused': 1, 'streamed-list-refused': 1, 'error-event': 1, ...others };
}

function byChance(random: Random): () => boolean {
  const share = random.pick([1, 1, 0.5, 0.2]);
  return () => random.chance(share);
}

function keysOf<K extends string>(table: Record<K, unknown>): K[] {
  return Object.keys(table).filter((key): key is K => key in table);
}
