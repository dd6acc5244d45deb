import { isAnswered } from '#planes/audit-log.ts';
import type { AuditEvent } from '#planes/audit-log.ts';

/** Whose writes, on objects whose name begins so. */
export type Writer = { user: string; prefix: string };

/**
 * When each object was last written by somebody, in milliseconds since the epoch to the microsecond: the moment of the server's
 * answer. By the object's name without the prefix.
 */
export function changeTimes(events: readonly AuditEvent[], { user, prefix }: Writer): Map<string, number> {
  const times = new Map<string, number>();
  for (const { user: who, verb, objectRef, stageTimestamp } of events.filter(isAnswered)) {
    const { resource, name = '' } = objectRef ?? {};
    if (who.username !== user || verb !== 'patch' || resource !== 'endpointslices' || !name.startsWith(prefix)) continue;
    times.set(name.slice(prefix.length), parseMicroseconds(stageTimestamp));
  }
  return times;
}

/** A `Date` keeps milliseconds only. */
function parseMicroseconds(timestamp: string): number {
  const [whole = '', fraction = ''] = timestamp.replace('Z', '').split('.');
  return Date.parse(`${whole}Z`) + Number(`0.${fraction || '0'}`) * 1000;
}

/** How long each change took, in milliseconds. @throws {Error} where one has not arrived. */
export function latencies(changed: ReadonlyMap<string, number>, arrived: ReadonlyMap<string, number>): number[] {
  return [...changed].map(([name, at]) => {
    const then = arrived.get(name);
    if (then === undefined) throw new Error(`The change of ${name} has not arrived`);
    return then - at;
  });
}
