// Each cell has a report on the hub: kubectl shows who is well, an operator's word in it is heeded,
// and renewing it wakes nothing in Karmada.
import assert from 'node:assert/strict';
import { APPROVE_FROZEN } from '#api/keys.ts';
import { eventually } from '#e2e/eventually.ts';
import { deliver, useFederation } from '#e2e/karmada/use-federation.ts';
import { auditOf } from '#e2e/scenario/hub-side.ts';
import { reportSide } from '#e2e/scenario/report-side.ts';
import { slicesOf } from '#e2e/scenario/slices.ts';
import { sourceObject } from '#e2e/scenario/source-object.ts';

describe('the report of a cell', () => {
  const federation = useFederation({ audit: true });
  const reportOf = (cell: string) => reportSide(federation().hub, cell);
  const read = async (cell: string) => (await reportOf(cell).read()) ?? assert.fail(`there is no report of ${cell}`);
  const expectCondition = (cell: string, type: string, words: string) => reportOf(cell).expectCondition(type, words);

  it('says who the cell is, where it is, and that it is well', async () => {
    const { cells } = federation();
    await deliver(federation());
    await expectCondition(cells[0].name, 'Ready', 'True Mirroring');
    const kubeSystem = (await cells[0].admin.ask({ path: '/api/v1/namespaces/kube-system' })) as { metadata: { uid: string } };
    const { spec, status } = await read(cells[0].name);
    assert.equal(spec?.clusterUID, kubeSystem.metadata.uid);
    assert.deepEqual(status?.location, { name: cells[0].name, from: 'configured' });
    await eventually('it counts the copy', async () => ((await read(cells[0].name)).status?.copies ?? 0) > 0);
  });

  it('is renewed while the cell is observed, and no longer once it is not', async () => {
    const { cells } = federation();
    const renewed = async () => (await read(cells[1].name)).status?.renewTime;
    const first = await renewed();
    await eventually('it is renewed', async () => (await renewed()) !== first, { deadlineMs: 60_000 });
    await cells[1].stop();
    await expectCondition(cells[1].name, 'Observed', 'False NotObserved');
    const last = await renewed();
    const other = async () => (await read(cells[0].name)).status?.renewTime;
    const before = await other();
    await eventually('the other one is renewed', async () => (await other()) !== before, { deadlineMs: 60_000 });
    assert.equal(await renewed(), last);
    await cells[1].start();
    await expectCondition(cells[1].name, 'Ready', 'True Mirroring');
  });

  it('records a frozen set, and lets exactly that go when it is approved', async () => {
    const { hub, cells, service } = federation();
    const [cell] = cells;
    const lost = await deliver(federation());
    const namespace = lost.source.metadata.namespace ?? '';
    const names = ['b', 'c', 'd', 'e', 'f'];
    for (const name of names) await slicesOf(cell.admin).create(sourceObject({ namespace, name }));
    const copies = async () => (await slicesOf(hub.admin).list(namespace)).length;
    await eventually('all are published', async () => (await copies()) === names.length + 1);
    await service.stop();
    await slicesOf(cell.admin).clear(namespace);
    await service.start();
    await expectCondition(cell.name, 'Frozen', 'True ShrinkFrozen');
    await service.swept(cell.name);
    assert.equal(await copies(), names.length + 1);
    const set = (await read(cell.name)).status?.frozen?.set;
    assert.ok(set);
    await reportOf(cell.name).patch({ metadata: { annotations: { [APPROVE_FROZEN]: 'another-set' } } });
    await service.swept(cell.name);
    assert.equal(await copies(), names.length + 1);
    await reportOf(cell.name).patch({ metadata: { annotations: { [APPROVE_FROZEN]: set } } });
    await eventually('the approved set is withdrawn', async () => (await copies()) === 0);
    await expectCondition(cell.name, 'Frozen', 'False NothingFrozen');
  });

  it('fences a cell that is another cluster than the one recorded, until the record is removed', async () => {
    const { hub, cells, service } = federation();
    const it = await deliver(federation());
    const [{ name }] = cells;
    await service.stop();
    await reportOf(name).patch({ spec: { clusterUID: 'another-cluster' } });
    await it.delete();
    await service.start();
    await expectCondition(name, 'IdentityBound', 'False IdentityFenced');
    assert.ok(await it.on(hub));
    await reportOf(name).patch({ spec: { clusterUID: null } });
    await expectCondition(name, 'Ready', 'True Mirroring');
    await it.expectGone([hub]);
  });

  it('wakes nothing in Karmada when it is renewed', async () => {
    const { hub } = federation();
    const events = auditOf(hub).filter(({ objectRef }) => objectRef?.resource === 'cellreports');
    assert.ok(events.some(({ user }) => user.username === 'fedhub'));
    const others = events.filter(({ user, verb }) => user.username !== 'fedhub' && !['get', 'list', 'watch', 'patch'].includes(verb));
    assert.deepEqual(
      others.map(({ user, verb }) => `${user.username} ${verb}`),
      [],
    );
    const bindings = (await hub.admin.ask({ path: '/apis/work.karmada.io/v1alpha2/clusterresourcebindings' })) as {
      items: { metadata: { name: string } }[];
    };
    assert.deepEqual(
      bindings.items.map(({ metadata }) => metadata.name).filter((binding) => binding.includes('cellreport')),
      [],
    );
  });
});
