import assert from 'node:assert/strict';
import { changeTimes, latencies } from '#bench/change-times.ts';
import type { AuditEvent } from '#planes/audit-log.ts';

function patched(name: string, stageTimestamp: string, more: Partial<AuditEvent> = {}): AuditEvent {
  const objectRef = { resource: 'endpointslices', namespace: 'ns', name };
  const at = { requestReceivedTimestamp: stageTimestamp, stageTimestamp };
  return {
    auditID: stageTimestamp,
    verb: 'patch',
    requestURI: '/',
    stage: 'ResponseComplete',
    user: { username: 'us' },
    objectRef,
    ...at,
    ...more,
  };
}

describe('the times of changes', () => {
  const writer = { user: 'us', prefix: 'vpc-x.' };

  it('are to the microsecond, the last one for each object', () => {
    const events = [patched('vpc-x.a', '2030-01-01T00:00:00.000001Z'), patched('vpc-x.a', '2030-01-01T00:00:01.250500Z')];
    const times = changeTimes(events, writer);
    assert.deepEqual([...times.keys()], ['a']);
    assert.ok(Math.abs((times.get('a') ?? 0) - Date.UTC(2030, 0, 1, 0, 0, 1) - 250.5) < 0.001);
  });

  it('leave out other people, other verbs, other kinds, other names, and what is not answered yet', () => {
    const at = '2030-01-01T00:00:00.000000Z';
    const others = [
      patched('vpc-x.a', at, { user: { username: 'them' } }),
      patched('vpc-x.a', at, { verb: 'get' }),
      patched('vpc-x.a', at, { objectRef: { resource: 'cellreports', name: 'vpc-x.a' } }),
      patched('vpc-y.a', at),
      patched('vpc-x.a', at, { stage: 'RequestReceived' }),
    ];
    assert.equal(changeTimes(others, writer).size, 0);
  });

  it('give latencies, and no latency for what has not arrived', () => {
    assert.deepEqual(latencies(new Map([['a', 10]]), new Map([['a', 12.5]])), [2.5]);
    assert.throws(() => latencies(new Map([['a', 10]]), new Map()), /"?a"? has not arrived/);
  });
});
