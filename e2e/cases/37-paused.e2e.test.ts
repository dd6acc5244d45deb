// Case 37: a cell is paused while its sources change, go and are made, its copies are edited by hand, and the service starts anew.
// Nothing is written for it from any path until it no longer is; then everything is caught up with.
import assert from 'node:assert/strict';
import type { CellReport } from '#api/objects.ts';
import { CELL_REPORTS } from '#api/resources.ts';
import { useScenario } from '#e2e/scenario.ts';
import { resourcePath } from '#kube/paths.ts';

const ADDRESS = { endpoints: [{ addresses: ['fd20::99'] }] };
const IPV4 = { fields: { addressType: 'IPv4', endpoints: [{ addresses: ['10.0.0.1'] }] } };

describe('case 37: a cell that is paused', () => {
  const scenario = useScenario();
  afterEach(() => scenario().configure([scenario().c1, scenario().c2]));

  it('has nothing written for it, by an event, a sweep, a hand edit or a start', async () => {
    const { c1, c2, configure, hub, namespace, service, source } = scenario();
    const shared = await namespace();
    const names = ['changes', 'goes', 'edited', 'removed', 'replaced'];
    const pods = names.map((name) => source(c1, shared, name));
    const [changes, goes, edited, removed, replaced] = pods;
    assert.ok(changes && goes && edited && removed && replaced);
    for (const pod of pods) await pod.publish();
    await pause();
    const mark = hub.mark();
    const made = await source(c1, shared, 'made').create();
    await changes.patch(ADDRESS);
    await goes.delete();
    await replaced.delete();
    await replaced.create(IPV4);
    await hub.slices.patch(edited.copyKey, ADDRESS);
    await hub.slices.delete(removed.copyKey);
    const elsewhere = await source(c2, shared, 'elsewhere').publish();
    await service.expectHeld('c1', 'Paused');
    await service.swept('c1');
    await service.stop();
    await service.start();
    await service.swept('c1');
    assert.deepEqual(new Set(hub.writesSince(mark)), new Set([`patch ${shared}/${elsewhere.copyKey.name}`]));
    configure([c1, c2]);
    await goes.expectNoCopy();
    for (const pod of [made, changes, edited, removed, replaced]) await pod.expectCopy();
  });

  it('keeps the copies of the location where it was', async () => {
    const { c1, c2, configure, hub, namespace, service, source } = scenario();
    const shared = await namespace();
    await source(c1, shared).publish();
    const names = async () => (await hub.slices.list(shared)).map(({ metadata }) => metadata.name);
    const moved = { ...c1, location: 'iad' };
    await pause([moved, c2]);
    const mark = hub.mark();
    await service.swept('c1');
    assert.deepEqual(hub.writesSince(mark), []);
    assert.deepEqual(await names(), ['vpc-dfw.pod-1']);
    configure([moved, c2]);
    await service.eventually('the copy has moved', async () => String(await names()) === 'vpc-iad.pod-1');
  });

  it('says so', async () => {
    const { hub, service } = scenario();
    await pause();
    const ready = async () => {
      const report = (await hub.plane.admin.ask({ path: resourcePath({ resource: CELL_REPORTS, name: 'c1' }) })) as CellReport;
      const { status, reason } = report.status?.conditions.find(({ type }) => type === 'Ready') ?? {};
      return `${status} ${reason}`;
    };
    await service.eventually('the report says so', async () => (await ready()) === 'False Paused');
    scenario().configure([scenario().c1, scenario().c2]);
    await service.eventually('it does no longer', async () => (await ready()) === 'True Mirroring');
  });

  async function pause(cells = [scenario().c1, scenario().c2]): Promise<void> {
    const { configure, service } = scenario();
    configure(cells, { paused: ['c1'] });
    const phase = async () => JSON.parse((await service.ask('/status')).body) as { cells: { name: string; phase: string }[] };
    await service.eventually('c1 is paused', async () =>
      (await phase()).cells.some((cell) => cell.name === 'c1' && cell.phase === 'paused'),
    );
  }
});
