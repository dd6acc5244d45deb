// What an operator must act on is an Event on the hub, made with the service's own rights when it begins and when it ends.
// Nothing is told twice while it lasts, over restarts neither. Metrics show the conditions too.
import assert from 'node:assert/strict';
import { APPROVE_FROZEN } from '#api/keys.ts';
import { SERVING_LOCATIONS } from '#api/resources.ts';
import { objectsOn } from '#e2e/locations/objects-on.ts';
import { reportSide } from '#e2e/scenario/report-side.ts';
import { useScenario } from '#e2e/scenario.ts';

describe('the Events about a cell', () => {
  const scenario = useScenario({ writeback: { shrinkGuard: { believedAbsent: 2, confirmAfter: 'never' } } });
  const reportOf = (cell: string) => reportSide(scenario().hub.plane, cell);
  const restart = async () => {
    await scenario().service.stop();
    await scenario().service.start();
  };

  beforeEach('wait for all to be well', () => reportOf('c1').expectCondition('Ready', 'True Mirroring'));

  it('tell once that another cluster stands behind its name, and that it is bound again', async () => {
    const report = reportOf('c1');
    const before = await report.events();
    await report.patch({ spec: { clusterUID: 'another-cluster' } });
    await report.expectCondition('IdentityBound', 'False IdentityFenced');
    await report.expectEvents(['Warning IdentityFenced'], before);
    await restart();
    await report.expectCondition('Ready', 'False IdentityFenced');
    await scenario().service.expectConditionMetric('c1', 'IdentityBound', 'False IdentityFenced');
    await report.patch({ spec: { clusterUID: null } });
    await report.expectCondition('Ready', 'True Mirroring');
    await report.expectEvents(['Warning IdentityFenced', 'Normal Bound'], before);
  });

  it('tell that one cluster stands behind two names', async () => {
    const { c1, c2, configure } = scenario();
    const again = { ...c1, name: 'c1-again', location: 'lhr', kubeconfig: c1.plane.serviceKubeconfig };
    const report = reportOf(again.name);
    configure([c1, c2, again]);
    await report.expectCondition('IdentityBound', 'False IdentityShared');
    await report.expectEvents(['Warning IdentityShared'], []);
    configure([c1, c2]);
    await report.remove();
  });

  it('tell of a name that leads to the cluster of another one, which goes on as if nothing were', async () => {
    const { c1, c2, configure, service, namespace, source } = scenario();
    const at = await namespace();
    await service.stop();
    configure([{ ...c1, kubeconfig: c2.plane.serviceKubeconfig }, c2]);
    await service.start();
    await reportOf('c1').expectCondition('IdentityBound', 'False IdentityFenced');
    await reportOf('c2').expectCondition('Ready', 'True Mirroring');
    const pod = source(c2, at);
    await pod.publish();
    await service.stop();
    configure([c1, c2]);
    await service.start();
    await reportOf('c1').expectCondition('Ready', 'True Mirroring');
  });

  it('tell that withdrawals are frozen, and that they no longer are', async () => {
    const { c1, namespace, source, service } = scenario();
    const report = reportOf('c1');
    const before = await report.events();
    const at = await namespace();
    const pods = ['a', 'b', 'c', 'd', 'e'].map((name) => source(c1, at, name));
    for (const pod of pods) await pod.publish();
    await service.stop();
    await c1.slices.clear(at);
    await service.start();
    await report.expectCondition('Frozen', 'True ShrinkFrozen');
    await restart();
    await service.swept('c1');
    await report.expectCondition('Ready', 'False ShrinkFrozen');
    await report.expectEvents(['Warning ShrinkFrozen'], before);
    const { frozen } = (await report.read())?.status ?? {};
    assert.deepEqual([frozen?.count, frozen?.released], [5, 0]);
    await report.patch({ metadata: { annotations: { [APPROVE_FROZEN]: frozen?.set } } });
    for (const pod of pods) await pod.expectNoCopy();
    await report.expectCondition('Frozen', 'False NothingFrozen');
    await report.expectEvents(['Warning ShrinkFrozen', 'Normal NothingFrozen'], before);
    assert.equal((await report.read())?.status?.withdrawn, 5);
  });

  it('tell that the delivered location overrules the configured one, and that it no longer does', async () => {
    const { c1 } = scenario();
    const report = reportOf('c1');
    const before = await report.events();
    const cell = objectsOn(c1.plane.admin);
    const place = { resource: SERVING_LOCATIONS, name: 'iad' };
    await cell.apply(place, { spec: { topology: { 'topology.datum.net/city-code': 'XYZ' } } });
    await report.expectCondition('LocationResolved', 'True LocationMismatch');
    await report.expectEvents(['Warning LocationMismatch'], before);
    await cell.remove(place);
    await report.expectCondition('LocationResolved', 'True Configured');
    await report.expectEvents(['Warning LocationMismatch', 'Normal Configured'], before);
  });

  it('lie in "default", and name the report and what to do', async () => {
    const [event] = (await reportOf('c1').events()).filter(({ reason }) => reason === 'ShrinkFrozen');
    const uid = (await reportOf('c1').read())?.metadata.uid;
    assert.equal(event?.metadata.namespace, 'default');
    assert.deepEqual(event['regarding'], { apiVersion: 'federation.datumapis.com/v1alpha1', kind: 'CellReport', name: 'c1', uid });
    assert.ok(String(event['note']).includes(`${APPROVE_FROZEN}=`));
  });
});
