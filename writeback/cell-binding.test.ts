import assert from 'node:assert/strict';
import { Gate } from '#kube/gate.ts';
import { ManualClock, settle } from '#kube/testing/manual-clock.ts';
import { recordingLog } from '#kube/testing/scripted-client.ts';
import { hang, json, status } from '#kube/testing/scripted-transport.ts';
import type { ApiRequest, ApiResponse } from '#kube/transport.ts';
import { IdentityClaims } from '#mirror/identity-claims.ts';
import { type Fault, MemoryServer } from '#mirror/testing/memory-server.ts';
import { type BoundCell, CellBinding } from '#writeback/cell-binding.ts';
import { createHubSide } from '#writeback/hub-side.ts';

const REPORTS = '/apis/federation.datumapis.com/v1alpha1/cellreports';
const REPORT = `${REPORTS}/ams-1`;
const NOTHING_LISTED = json({ kind: 'CellReportList', metadata: { resourceVersion: '100' }, items: [] });

/** The list of reports is answered so; a watch stays silent. Everything else is the server's. */
function listed(answer: (request: ApiRequest) => ApiResponse | Promise<ApiResponse>): Fault {
  return (request) => {
    if (request.path !== REPORTS) return undefined;
    if (request.query?.['sendInitialEvents'] !== undefined) return status(400, 'BadRequest')(request);
    return request.query?.['watch'] === '1' ? hang(request) : answer(request);
  };
}

/** A cell that says it is `u2`, whose report on the hub, where there is one, binds its name to `clusterUID`. */
async function scene({ clusterUID, fault }: { clusterUID?: string; fault: Fault }) {
  const clock = new ManualClock();
  const [hub, cell] = [new MemoryServer(), new MemoryServer()];
  cell.put('/api/v1/namespaces/kube-system', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'kube-system', uid: 'u2' } });
  const report = { apiVersion: 'federation.datumapis.com/v1alpha1', kind: 'CellReport', metadata: { name: 'ams-1' }, spec: { clusterUID } };
  if (clusterUID !== undefined) hub.put(REPORT, report);
  hub.fault = fault;
  const [ofHub, ofCell] = [hub, cell].map((transport, at) => {
    const cluster = ['hub', 'ams-1'][at] ?? '';
    return { cluster, transport, gate: new Gate({ concurrency: 8, clock }), clock, random: () => 0.5 };
  });
  assert.ok(ofHub && ofCell);
  const log = recordingLog();
  const side = createHubSide({ client: ofHub, pace: { idleMs: 60_000 }, log, namespaceChanged: () => {}, reportChanged: () => {} });
  const stop = new AbortController();
  void side.reports.run(() => [], stop.signal);
  const binding = new CellBinding({ name: 'ams-1', hub: side, claims: new IdentityClaims(), log });
  let found: BoundCell | undefined;
  void binding.bind(ofCell, binding.begin(stop.signal)).then((bound) => (found = bound));
  await settle();
  return { bound: () => found, hub, clock, stop: () => stop.abort() };
}

describe('the binding of a cell', () => {
  it('goes by a record that the list of reports lacked: another cluster is fenced', async () => {
    const { bound, stop } = await scene({ clusterUID: 'u1', fault: listed(NOTHING_LISTED) });
    assert.equal(bound()?.clusterUid, 'u1');
    assert.deepEqual(bound()?.identity.state, { kind: 'unbound', reason: 'IdentityFenced' });
    stop();
  });

  it('is a first contact only where a live read finds no record', async () => {
    const { bound, hub, stop } = await scene({ fault: listed(NOTHING_LISTED) });
    assert.deepEqual(bound()?.identity.state, { kind: 'bound', uid: 'u2' });
    assert.ok(hub.requests.some(({ path }) => path === REPORT));
    stop();
  });

  it('waits for a hub that cannot say what it has recorded', async () => {
    let isDown = true;
    const list = listed(NOTHING_LISTED);
    const fault: Fault = (request) => (request.path === REPORT && isDown ? status(404, 'NotFound')(request) : list(request));
    const { bound, clock, stop } = await scene({ clusterUID: 'u1', fault });
    await clock.advance(60_000);
    assert.equal(bound(), undefined, 'a path that is not served says nothing of one report');
    isDown = false;
    await clock.advance(60_000);
    assert.equal(bound()?.clusterUid, 'u1');
    stop();
  });

  it('needs no record on a hub that serves no reports', async () => {
    const unserved: Fault = (request) => (request.path.startsWith(REPORTS) ? status(404, 'NotFound')(request) : undefined);
    const { bound, stop } = await scene({ fault: unserved });
    assert.deepEqual(bound()?.identity.state, { kind: 'bound', uid: 'u2' });
    stop();
  });
});
