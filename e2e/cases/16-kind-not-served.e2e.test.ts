// Case 16: the CRD of serving locations is missing at start, installed later, removed again; slices are briefly not served.
// The cell waits, engages, waits; "the kind is not there" never means "all of them are deleted".
import assert from 'node:assert/strict';
import { useScenario } from '#e2e/scenario.ts';
import { prepareCell } from '#e2e/shared-planes.ts';

const CRD = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/servinglocations.networking.datumapis.com';

describe('case 16: a kind that comes and goes', () => {
  const scenario = useScenario({ stopped: true });
  after('leave the CRD in place', () => prepareCell(scenario().c1.plane));

  it('is waited for at start', async () => {
    const { c1, namespace, service, source } = scenario();
    await c1.plane.admin.ask({ method: 'DELETE', path: CRD });
    const shared = await namespace();
    const pod = await source(c1, shared).create();
    await service.start();
    await source(scenario().c2, shared).publish();
    await service.eventually('the kind is missed', () => c1.proxy.requests.count({ path: /servinglocations/ }) > 1);
    assert.equal(await pod.copy(), undefined);
    await prepareCell(c1.plane);
    await pod.expectCopy();
  });

  it('takes nothing away when it goes', async () => {
    const { c1, hub, namespace, service, source } = scenario();
    const pod = await source(c1, await namespace()).publish();
    const mark = hub.mark();
    await c1.plane.admin.ask({ method: 'DELETE', path: CRD });
    const struck = c1.faults.request({ path: /endpointslices/ }, { kind: 'not-served' });
    c1.proxy.cut();
    await service.eventually('slices are not served', () => struck.strikes > 2);
    assert.deepEqual(hub.writesSince(mark), []);
    struck.lift();
    await prepareCell(c1.plane);
    await pod.patch({ endpoints: [{ addresses: ['fd20::2'] }] });
    await pod.expectCopy();
  });
});
