import assert from 'node:assert/strict';
import type { CellReport } from '#api/objects.ts';
import { Gate } from '#kube/gate.ts';
import { ManualClock } from '#kube/testing/manual-clock.ts';
import { recordingLog } from '#kube/testing/scripted-client.ts';
import { status } from '#kube/testing/scripted-transport.ts';
import type { ApiRequest } from '#kube/transport.ts';
import { MemoryServer } from '#mirror/testing/memory-server.ts';
import { ShrinkGuard } from '#mirror/shrink-guard.ts';
import type { CellFacts } from '#writeback/cell-report.ts';
import { ReportKeeper, type ReportReading } from '#writeback/report-keeper.ts';
import { factsWith, fenced, justStarted } from '#writeback/testing/facts.ts';

const REPORTS = '/apis/federation.datumapis.com/v1alpha1/cellreports';
const REPORT = `${REPORTS}/ams-1`;
const STATUS = `${REPORT}/status`;
const KIND = { apiVersion: 'federation.datumapis.com/v1alpha1', kind: 'CellReport' };
/** What a 404 says of that report. */
const ABOUT = { details: { name: 'ams-1', kind: 'cellreports' } };
const EVENTS = '/apis/events.k8s.io/v1/namespaces/default/events';

/** A keeper of one cell's report on a hub in memory, looked at each second for as long as a test says, with the facts of that moment. */
function scene() {
  const clock = new ManualClock();
  const hub = new MemoryServer();
  const log = recordingLog();
  const client = { cluster: 'hub', transport: hub, gate: new Gate({ concurrency: 8, clock }), clock, random: () => 0.5 };
  const heeded: ReportReading[] = [];
  const it = { facts: () => factsWith(), reading: () => readingOf(hub), liveReads: 0 };
  const cell = { name: 'ams-1', facts: () => it.facts(), heed: (report: ReportReading) => void heeded.push(report) };
  const signal = new AbortController().signal;
  /** What is read live is known from then on. */
  const lookLive = async () => {
    it.liveReads += 1;
    it.reading = () => readingOf(hub);
    return it.reading();
  };
  const begin = () => new ReportKeeper({ hub: client, cell, look: lookLive, log });
  let keeper = begin();
  const restart = () => {
    keeper = begin();
  };
  const look = async (facts: CellFacts | (() => CellFacts), seconds = 1) => {
    it.facts = typeof facts === 'function' ? facts : () => facts;
    for (let second = 0; second < seconds; second += 1) {
      await keeper.keep(it.reading(), signal);
      await clock.advance(1_000);
    }
  };
  const writesTo = (path: string) => hub.writes.filter((write) => write.endsWith(` ${path}`)).length;
  /** What the watch shows from now on, whatever the hub has by then; the report as it is where it is left out. */
  const watchShows = (reading: (now: ReportReading | undefined) => ReportReading | undefined = (now) => now) => {
    it.reading = () => reading(readingOf(hub));
  };
  return { hub, log, heeded, look, restart, writesTo, watchShows, statusNow: () => readingOf(hub)?.status, liveReads: () => it.liveReads };
}

function readingOf(hub: MemoryServer): ReportReading | undefined {
  const held: CellReport | undefined = hub.at(REPORT);
  const said: CellReport | undefined = hub.at(STATUS);
  if (!held) return undefined;
  const { uid, resourceVersion, generation } = held.metadata;
  return { uid, resourceVersion, generation, clusterUid: held.spec?.clusterUID, approve: undefined, hold: false, status: said?.status };
}

/** A guard that has frozen 60 sources, and what brings them all back. */
function frozenGuard(): { guard: ShrinkGuard; unfreeze: () => undefined } {
  const absent = new Set(Array.from({ length: 60 }, (_, at) => `ns/pod-${at}`));
  const guard = new ShrinkGuard();
  guard.observe({ live: 0, copies: 60, absent }, 0);
  const unfreeze = () => {
    for (const key of absent) guard.returned(key);
    return undefined;
  };
  return { guard, unfreeze };
}

/** The bodies of what was sent so: `METHOD path`. */
function sent(hub: MemoryServer, what: string): unknown[] {
  return hub.requests.filter(({ method, path }) => `${method} ${path}` === what).map(({ body }) => JSON.parse(body ?? 'null'));
}

/** Refuses what is sent to these paths. */
const refusing =
  (code: number, reason: string, ...paths: string[]) =>
  (request: ApiRequest) =>
    request.method !== 'GET' && paths.includes(request.path) ? status(code, reason)(request) : undefined;

describe('keeping the report of a cell', () => {
  it('writes the binding once, and then renews every 15 seconds while nothing changes', async () => {
    const { look, hub, writesTo } = scene();
    await look(factsWith(), 60);
    assert.deepEqual([writesTo(REPORTS), writesTo(REPORT), writesTo(STATUS), writesTo(EVENTS)], [1, 0, 4, 0]);
    assert.deepEqual(sent(hub, `POST ${REPORTS}`), [{ ...KIND, metadata: { name: 'ams-1' }, spec: { clusterUID: 'cell-uid' } }]);
  });

  it('does not leave a change of a condition until the next renewal', async () => {
    const { look, statusNow } = scene();
    await look(factsWith(), 3);
    await look(fenced);
    assert.equal(statusNow()?.conditions.find(({ type }) => type === 'IdentityBound')?.reason, 'IdentityFenced');
  });

  it('writes nothing for a cell that is away, once it is said', async () => {
    const { look, hub } = scene();
    await look(factsWith(), 2);
    const { reading } = factsWith();
    const away = (silenceSeconds: number) => factsWith({ observing: false, reading: reading && { ...reading, silenceSeconds } });
    await look(away(6));
    hub.requests.length = 0;
    for (let silence = 7; silence < 67; silence += 1) await look(away(silence));
    assert.deepEqual(hub.writes, []);
  });

  it('tries a refused write again at growing pauses, says so once, and says when it is over', async () => {
    const { look, hub, log, writesTo } = scene();
    await look(factsWith());
    hub.fault = refusing(403, 'Forbidden', STATUS);
    hub.requests.length = 0;
    await look(fenced, 120);
    // Half of 1, 2, 4, 8 seconds, then of 15; each at the next look.
    assert.equal(writesTo(STATUS), 18);
    hub.fault = () => undefined;
    await look(fenced, 16);
    const lines = log.lines.filter(({ message }) => message.includes('report of a cell'));
    assert.deepEqual(
      lines.filter(({ level }) => level !== 'debug').map(({ level, message }) => `${level} ${message}`),
      ['warn Cannot renew the report of a cell', 'info The report of a cell is renewed again'],
    );
    assert.equal(lines.filter(({ level }) => level === 'debug').length, 17);
  });

  it('does so too where the report cannot be made at all', async () => {
    const { look, hub, writesTo } = scene();
    hub.fault = refusing(403, 'Forbidden', REPORTS);
    await look(factsWith(), 120);
    assert.deepEqual([writesTo(REPORTS), writesTo(REPORT), writesTo(STATUS)], [18, 0, 0]);
  });

  for (const [what, paths, count] of [
    ['an Event is being written, and what was true before is said', [EVENTS], 60],
    ['its binding is being written, and nothing is said of them', [REPORT, REPORTS], undefined],
  ] as const) {
    it(`does not fail where frozen sources return while ${what}`, async () => {
      const { look, hub, log, statusNow } = scene();
      const { guard, unfreeze } = frozenGuard();
      hub.fault = ({ path }) => (paths.some((each) => each === path) ? unfreeze() : undefined);
      await look(() => factsWith({ frozen: guard.frozen }));
      assert.equal(guard.frozen, undefined);
      assert.deepEqual(log.lines, []);
      assert.ok(statusNow());
      assert.equal(statusNow()?.frozen?.count, count);
    });
  }

  it('says in its next renewal that nothing is frozen any more', async () => {
    const { look, hub, statusNow } = scene();
    const { guard, unfreeze } = frozenGuard();
    hub.fault = (request) => (request.path === EVENTS ? unfreeze() : undefined);
    const facts = () => factsWith({ frozen: guard.frozen });
    await look(facts);
    assert.equal(statusNow()?.frozen?.count, 60);
    await look(facts);
    assert.ok(statusNow());
    assert.equal(statusNow()?.frozen, undefined);
  });

  it("heeds an operator's word also while it cannot write", async () => {
    const { look, hub, heeded } = scene();
    await look(factsWith());
    hub.fault = refusing(403, 'Forbidden', STATUS);
    await look(fenced, 10);
    assert.equal(heeded.length, 10);
  });
});

describe('announcing what becomes of a cell', () => {
  it('makes one Event when it is fenced, and none while it stays so, over restarts as well', async () => {
    const { look, restart, writesTo, statusNow } = scene();
    await look(factsWith(), 2);
    await look(fenced, 60);
    restart();
    await look(justStarted, 3);
    await look(fenced, 30);
    assert.equal(writesTo(EVENTS), 1);
    assert.deepEqual(
      statusNow()?.announced?.map(({ type, reason }) => `${type} ${reason}`),
      ['Warning IdentityFenced'],
    );
  });

  it('adds nothing where the report could not be written after the Event was made', async () => {
    const { look, hub, writesTo } = scene();
    await look(factsWith());
    hub.fault = refusing(503, 'ServiceUnavailable', STATUS);
    await look(fenced);
    assert.equal(writesTo(EVENTS), 1);
    hub.fault = () => undefined;
    await look(fenced, 30);
    assert.equal(writesTo(EVENTS), 1);
  });

  it('adds nothing where a run that has made an Event ended before the report said so', async () => {
    const { look, restart, hub } = scene();
    await look(factsWith());
    hub.fault = refusing(503, 'ServiceUnavailable', STATUS);
    await look(fenced);
    const made = () => hub.requests.filter(({ method, path }) => method === 'POST' && path === EVENTS).map(({ body }) => nameIn(body));
    restart();
    hub.fault = () => undefined;
    await look(fenced, 30);
    const [first, second] = made();
    assert.equal(made().length, 2);
    assert.equal(first, second);
  });

  it('is not in the way of the report where the hub refuses Events, and is given up after one warning', async () => {
    const { look, hub, log, writesTo, statusNow } = scene();
    await look(factsWith(), 2);
    hub.fault = refusing(403, 'Forbidden', EVENTS);
    await look(fenced, 60);
    assert.equal(writesTo(EVENTS), 1);
    assert.equal(statusNow()?.conditions.find(({ type }) => type === 'Ready')?.status, 'False');
    await look(factsWith(), 60);
    const lines = log.lines.filter(({ message }) => message === 'Cannot write an Event');
    assert.deepEqual(
      lines.map(({ level }) => level),
      ['warn', 'debug'],
    );
  });

  it('is tried again with each renewal where the hub was in trouble, which delays no renewal', async () => {
    const { look, hub, writesTo, statusNow } = scene();
    await look(factsWith());
    hub.fault = refusing(503, 'ServiceUnavailable', EVENTS);
    await look(fenced, 31);
    assert.deepEqual([writesTo(EVENTS), statusNow()?.announced], [3, undefined]);
    hub.fault = () => undefined;
    await look(fenced, 60);
    assert.equal(writesTo(EVENTS), 4);
  });

  it('says what a run has seen change itself, and not what a second run keeps writing into the report', async () => {
    const { look, hub, writesTo } = scene();
    await look(factsWith(), 2);
    await look(fenced, 2);
    const other = hub.at(STATUS) ?? assert.fail();
    for (let times = 0; times < 5; times += 1) {
      hub.put(STATUS, { ...other, status: { ...Object(other['status']), announced: [] } });
      await look(fenced, 15);
    }
    assert.equal(writesTo(EVENTS), 1);
  });
});

describe('recording the binding of a cell', () => {
  const bindingOf = (hub: MemoryServer) => (hub.at(REPORT) as CellReport | undefined)?.spec?.clusterUID;
  const operators = { ...KIND, metadata: { name: 'ams-1' }, spec: { clusterUID: 'by-an-operator' } };

  it('writes nothing over a report that the watch has not shown, which is no failure, and goes by what a live read finds', async () => {
    const { look, hub, log, watchShows, writesTo, liveReads } = scene();
    hub.put(REPORT, operators);
    watchShows(() => undefined);
    await look(factsWith());
    assert.deepEqual(hub.writes, [`POST ${REPORTS}`]);
    await look(factsWith(), 10);
    assert.deepEqual([writesTo(REPORTS), writesTo(REPORT), writesTo(STATUS)], [1, 0, 1]);
    assert.deepEqual([bindingOf(hub), log.lines, liveReads()], ['by-an-operator', [], 1]);
  });

  it('happens though the watch has lost the last version of the report', async () => {
    const { look, hub, watchShows, liveReads } = scene();
    hub.put(REPORT, { ...KIND, metadata: { name: 'ams-1' } });
    const before = readingOf(hub);
    hub.put(REPORT, { ...KIND, metadata: { name: 'ams-1', labels: { tier: 'edge' } } });
    watchShows(() => before);
    await look(factsWith(), 3);
    assert.deepEqual([bindingOf(hub), liveReads()], ['cell-uid', 1]);
  });

  it('happens in a new report where the one that the watch shows is gone', async () => {
    const { look, hub, watchShows, writesTo, liveReads } = scene();
    await look(factsWith());
    const before = readingOf(hub);
    hub.remove(REPORT);
    hub.fault = (request) => (request.path === STATUS && !hub.at(REPORT) ? status(404, 'NotFound', ABOUT)(request) : undefined);
    watchShows(() => before);
    await look(fenced, 3);
    await look(factsWith(), 2);
    assert.deepEqual([bindingOf(hub), writesTo(REPORTS), liveReads()], ['cell-uid', 2, 1]);
  });

  it('happens in a report that has none as just that version of that object which was read', async () => {
    const { look, hub } = scene();
    const { uid, resourceVersion } = hub.put(REPORT, { ...KIND, metadata: { name: 'ams-1' } }).metadata;
    assert.ok(uid && resourceVersion);
    await look(factsWith());
    const metadata = { name: 'ams-1', uid, resourceVersion };
    assert.deepEqual(sent(hub, `PATCH ${REPORT}`), [{ ...KIND, metadata, spec: { clusterUID: 'cell-uid' } }]);
    assert.deepEqual([bindingOf(hub), sent(hub, `POST ${REPORTS}`)], ['cell-uid', []]);
  });

  it('is refused where an operator has bound another cluster since, and undoes nothing later', async () => {
    const { look, hub, log, watchShows, writesTo } = scene();
    hub.put(REPORT, { ...KIND, metadata: { name: 'ams-1' } });
    const before = readingOf(hub);
    hub.put(REPORT, operators);
    watchShows(() => before);
    await look(factsWith());
    assert.deepEqual([bindingOf(hub), writesTo(STATUS), log.lines.length], ['by-an-operator', 0, 1]);
    watchShows();
    await look(factsWith(), 5);
    assert.deepEqual([bindingOf(hub), writesTo(REPORT), writesTo(STATUS)], ['by-an-operator', 1, 1]);
  });

  it('is refused where the report was deleted and made anew since', async () => {
    const { look, hub, watchShows } = scene();
    hub.put(REPORT, { ...KIND, metadata: { name: 'ams-1' } });
    const before = readingOf(hub);
    hub.remove(REPORT);
    hub.put(REPORT, { ...KIND, metadata: { name: 'ams-1' } });
    watchShows((now) => before && { ...before, resourceVersion: now?.resourceVersion });
    await look(factsWith());
    assert.equal(bindingOf(hub), undefined);
  });

  it('waits for a cluster to be bound: until then the report is made without any', async () => {
    const { look, hub, writesTo } = scene();
    await look(justStarted, 3);
    assert.deepEqual(sent(hub, `POST ${REPORTS}`), [{ ...KIND, metadata: { name: 'ams-1' } }]);
    assert.deepEqual([bindingOf(hub), writesTo(REPORT), writesTo(STATUS)], [undefined, 0, 1]);
    await look(factsWith());
    assert.deepEqual([bindingOf(hub), writesTo(REPORT)], ['cell-uid', 1]);
  });

  it('is never taken back nor changed, whether the watch shows the report or not', async () => {
    for (const shown of [true, false]) {
      const { look, hub, watchShows, writesTo } = scene();
      await look(factsWith());
      watchShows((now) => (shown ? now : undefined));
      for (const facts of [justStarted, fenced, factsWith({ identity: { kind: 'bound', uid: 'other-uid' } })]) await look(facts, 16);
      assert.deepEqual([bindingOf(hub), writesTo(REPORT)], ['cell-uid', 0]);
    }
  });
});

function nameIn(body = ''): string {
  return (JSON.parse(body) as CellReport).metadata.name;
}
