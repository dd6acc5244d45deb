/** How sure an absence is. A deletion seen as an event is strong; one inferred from a list is weak (contract section 5). */
export type Evidence = 'strong' | 'weak';

/**
 * What is known of one object. Nothing that failed, is incomplete or is stale can be `absent`:
 * whoever builds an `absent` must have had a live 404 from a server whose list was complete.
 */
export type Observation<T> = { kind: 'unknown'; why: string } | { kind: 'absent'; evidence: Evidence } | { kind: 'present'; object: T };

/**
 * Milliseconds that a live read is proof for. A server that holds requests back may keep a decided deletion waiting for minutes, and the
 * event that would have stopped it may not come.
 */
export const PROVES_MS = 60_000;

/** What stands on the hub under the copy's name. `foreign` is anything that is not the copy of this very source. */
export type Occupant = 'unknown' | 'free' | 'ours' | 'foreign';

/** What to bring about on the hub. The one result of every `decide`. */
export type Decision<C> =
  | { kind: 'copy'; copy: C }
  | { kind: 'withdraw'; reason: string; evidence: Evidence }
  /** Leave the hub as it is. `report`: an operator should know. */
  | { kind: 'keep'; reason: string; report?: true }
  | { kind: 'wait'; reason: string }
  | { kind: 'refuse'; reason: string };

/** An object that is there. */
export function present<T>(object: T): Observation<T> {
  return { kind: 'present', object };
}

/** An object of which nothing may be concluded, and why not. */
export function unknown<T>(why: string): Observation<T> {
  return { kind: 'unknown', why };
}

/** An object that is proven not to be there. */
export function absent<T>(evidence: Evidence): Observation<T> {
  return { kind: 'absent', evidence };
}
