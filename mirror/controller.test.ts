import assert from 'node:assert/strict';
import { ApiError, TerminalError, WaitingError } from '#kube/errors.ts';
import { ManualClock, settle } from '#kube/testing/manual-clock.ts';
import { recordingLog } from '#kube/testing/scripted-client.ts';
import { Controller } from '#mirror/controller.ts';
import { Holds } from '#mirror/holds.ts';
import type { Outcome } from '#mirror/mirror-context.ts';
import { Workqueue } from '#mirror/workqueue.ts';

type Reconcile = (key: string, options: { signal: AbortSignal; priority: string }) => Promise<Outcome>;

const RETRY_MS = 30_000;
const none: Outcome = { action: 'none' };

/** A controller at work on a still clock; `at` are the times at which a key was reconciled. */
function scene(reconcile: Reconcile, { concurrency = 4, jitter = 0.5 } = {}) {
  const clock = new ManualClock();
  const [queue, holds, log, stop] = [new Workqueue(clock), new Holds(), recordingLog(), new AbortController()];
  const [at, counted, failed]: [number[], string[], string[]] = [[], [], []];
  const controller = new Controller({
    labels: { controller: 'test', plane: 'cell-1' },
    queue,
    holds,
    reconcile: (key, options) => {
      at.push(clock.monotonicMs());
      return reconcile(key, options);
    },
    concurrency,
    retryIntervalMs: RETRY_MS,
    clock,
    random: () => jitter,
    metrics: {
      reconciled: (_labels, action) => void counted.push(action),
      failed: (_labels, code) => void failed.push(code),
      swept: () => undefined,
      include: () => () => undefined,
    },
    log,
  });
  const running = controller.run(stop.signal);
  return { clock, queue, holds, log, stop, at, counted, failed, running, controller };
}

const FAILURES: [error: Error, code: string, earliestMs: number, latestMs: number][] = [
  [new ApiError('Unreachable', 'x'), 'Unreachable', 1, 1_000],
  [new ApiError('Forbidden', 'x', { status: 403 }), 'Forbidden', 1, 1_000],
  [new ApiError('TooManyRequests', 'x', { status: 429, retryAfterMs: 5_000 }), 'TooManyRequests', 5_000, 5_100],
  [new WaitingError('IdentityFenced', 'x', 30_000), 'IdentityFenced', 30_000, 30_100],
  [new TerminalError('Rejected', 'x'), 'Rejected', 30_000, 30_100],
  [new TypeError('x is undefined'), 'Fault', 1, 1_000],
];

describe('a controller', () => {
  for (const [error, code, earliestMs, latestMs] of FAILURES) {
    it(`holds a key that failed with ${error.name} ${code}, counts it, and tries it again in due time`, async () => {
      let fails = true;
      const { clock, queue, holds, at, failed } = scene(async () => {
        if (fails) throw error;
        return none;
      });
      queue.add('a', 'live');
      await settle();
      assert.deepEqual([holds.counts(), failed], [{ [code]: 1 }, [code]]);
      fails = false;
      await clock.advance(earliestMs - 1);
      assert.equal(at.length, 1);
      await clock.advance(latestMs);
      assert.equal(at.length, 2);
      assert.deepEqual(holds.counts(), {});
    });
  }

  it('never drops a key that keeps failing: the pauses grow, and none is longer than half a minute and a step', async () => {
    const { clock, queue, at } = scene(() => Promise.reject(new ApiError('Unreachable', 'x')), { jitter: 0.999 });
    queue.add('a', 'live');
    await clock.advance(10 * 60_000);
    const pauses = at.slice(1).map((time, index) => time - (at[index] ?? 0));
    assert.ok(at.length > 20, `tried ${at.length} times`);
    assert.ok((pauses[3] ?? 0) > (pauses[0] ?? 0));
    assert.ok(Math.max(...pauses) <= 30_025);
  });

  it('begins with short pauses again once a key has succeeded', async () => {
    let fails = true;
    const { clock, queue, at } = scene(async () => {
      if (fails) throw new ApiError('Unreachable', 'x');
      return none;
    });
    queue.add('a', 'live');
    await clock.advance(120_000);
    fails = false;
    await clock.advance(60_000);
    fails = true;
    at.length = 0;
    queue.add('a', 'live');
    await clock.advance(1_000);
    assert.ok(at.length > 1);
  });

  it('holds what is kept until it is over, and looks again by itself at what waits or is refused', async () => {
    const outcomes: Record<string, Outcome> = {
      kept: { action: 'kept', reason: 'EmptySource' },
      waits: { action: 'waiting', reason: 'HubNamespaceMissing' },
      taken: { action: 'refused', reason: 'NameTaken', report: true },
    };
    const seen: string[] = [];
    const { clock, queue, holds, log } = scene(async (key) => {
      seen.push(key);
      return outcomes[key] ?? none;
    });
    for (const key of Object.keys(outcomes)) queue.add(key, 'live');
    await clock.advance(RETRY_MS * 0.8 - 100);
    assert.deepEqual(seen, ['kept', 'waits', 'taken']);
    assert.deepEqual(holds.counts(), { EmptySource: 1, HubNamespaceMissing: 1, NameTaken: 1 });
    await clock.advance(RETRY_MS * 0.4 + 200);
    assert.deepEqual(seen.slice(3), ['waits', 'taken']);
    const reported = log.lines.filter(({ level }) => level === 'warn');
    assert.deepEqual(
      reported.map(({ name, reason }) => [name, reason]),
      [['taken', 'NameTaken']],
    );
    outcomes['waits'] = { action: 'created' };
    await clock.advance(RETRY_MS * 1.2 + 100);
    assert.deepEqual(holds.counts(), { EmptySource: 1, NameTaken: 1 });
  });

  it('tells apart what is kept, what comes right by itself, and what needs somebody', async () => {
    const ends: Record<string, Outcome | Error> = {
      kept: { action: 'kept', reason: 'EmptySource' },
      waits: { action: 'waiting', reason: 'HubNamespaceMissing' },
      taken: { action: 'refused', reason: 'NameTaken' },
      cut: new ApiError('Unreachable', 'x'),
      early: new WaitingError('IdentityFenced', 'x', 30_000),
      forbidden: new ApiError('Forbidden', 'x', { status: 403 }),
      invalid: new ApiError('Invalid', 'x', { status: 422 }),
      rejected: new TerminalError('Rejected', 'x'),
    };
    const { queue, holds } = scene(async (key) => {
      const end = ends[key] ?? none;
      if (end instanceof Error) throw end;
      return end;
    });
    for (const key of Object.keys(ends)) queue.add(key, 'live');
    await settle();
    const states = Object.groupBy(holds.list(Infinity), ({ state }) => state);
    assert.deepEqual(
      states.kept?.map(({ key }) => key),
      ['kept'],
    );
    assert.deepEqual(states.waiting?.map(({ key }) => key).toSorted(), ['cut', 'early', 'waits']);
    assert.deepEqual(states.refused?.map(({ key }) => key).toSorted(), ['forbidden', 'invalid', 'rejected', 'taken']);
  });

  it('counts what was withdrawn, and nothing else', async () => {
    const outcomes: Outcome[] = [{ action: 'withdrawn' }, { action: 'created' }, { action: 'withdrawn' }, { action: 'replaced' }];
    const { queue, controller } = scene(async () => outcomes.shift() ?? none);
    for (const key of ['a', 'b', 'c', 'd', 'e']) queue.add(key, 'live');
    await settle();
    assert.equal(controller.withdrawn, 2);
  });

  it('looks with growing pauses at a copy that a foreign finalizer holds', async () => {
    const { clock, queue, at } = scene(async () => ({ action: 'waiting', reason: 'CopyTerminating', report: true }));
    queue.add('a', 'live');
    await clock.advance(5 * 60_000);
    const pauses = at.slice(1).map((time, index) => time - (at[index] ?? 0));
    assert.ok((pauses[0] ?? Infinity) < 1_000);
    assert.ok((pauses.at(-1) ?? 0) > 10_000);
  });

  it('brings a key back in the lane that its outcome asks for', async () => {
    const lanes: string[] = [];
    const { queue } = scene(async (_key, { priority }) => {
      lanes.push(priority);
      return priority === 'sweep' ? none : { action: 'none', requeue: 'sweep' };
    });
    queue.add('a', 'live');
    await settle();
    assert.deepEqual(lanes, ['live', 'sweep']);
  });

  it('counts what each reconcile did', async () => {
    const { queue, counted } = scene(async () => ({ action: 'created' }));
    queue.add('a', 'live');
    await settle();
    assert.deepEqual(counted, ['created']);
  });

  it('takes no new key once it was told to stop, and lets the work in flight end', async () => {
    const ends: (() => void)[] = [];
    const signals: AbortSignal[] = [];
    const { clock, queue, stop, at, running } = scene(
      (_key, { signal }) => {
        signals.push(signal);
        return new Promise((resolve) => ends.push(() => resolve(none)));
      },
      { concurrency: 1 },
    );
    for (const key of ['in flight', 'next']) queue.add(key, 'live');
    await settle();
    stop.abort();
    let over = false;
    void running.then(() => {
      over = true;
    });
    await clock.advance(1_000);
    assert.deepEqual([at.length, over, signals[0]?.aborted], [1, false, false]);
    for (const end of ends) end();
    await settle();
    assert.deepEqual([at.length, over], [1, true]);
  });

  it('abandons work that has not ended when its grace is over, and holds nothing for it', async () => {
    const { clock, queue, stop, holds, running } = scene((_key, { signal }) => {
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    });
    queue.add('a', 'live');
    await settle();
    stop.abort();
    await clock.advance(8_000);
    await running;
    assert.deepEqual(holds.counts(), {});
  });
});
