// Case 16: the CRD of serving locations is missing at start, installed later, removed again; slices are briefly not served.
// The cell waits, engages, waits; "the kind is not there" never means "all of them are deleted".
import assert from 'node:assert/strict';
import { eventually } from '#e2e/eventually.ts';
import { useScenario } from '#e2e/scenario.ts';
import { prepareCell } from '#e2e/shared-planes.ts';

const CRD = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/servinglocations.networking.datumapis.com';
const SERVED = '/apis/networking.datumapis.com/v1alpha/servinglocations';
const DELIVERED = {
  apiVersion: 'networking.datumapis.com/v1alpha',
  kind: 'ServingLocation',
  metadata: { name: 'dfw' },
  spec: { topology: { 'topology.datum.net/city-code': 'DFW' } },
};

describe('case 16: a kind that comes and goes', () => {
  const scenario = useScenario({ stopped: true, unconfigured: ['c1'] });
  after('leave the kind as the other suites know it', async () => {
    await prepareCell(scenario().c1.plane);
    await scenario().c1.plane.admin.ask({ method: 'DELETE', path: SERVED });
  });

  it('is waited for at start', async () => {
    const { c1, c2, namespace, service, source } = scenario();
    await removeKind();
    const shared = await namespace();
    const pod = await source(c1, shared).create();
    await service.start();
    await source(c2, shared).publish();
    await service.eventually('the kind is missed', () => c1.proxy.requests.count({ path: /servinglocations/ }) > 1);
    assert.equal(await pod.copy(), undefined);
    await deliver();
    await pod.expectCopy();
  });

  it('takes nothing away when it goes', async () => {
    const { c1, hub, namespace, service, source } = scenario();
    const pod = await source(c1, await namespace()).publish();
    const mark = hub.mark();
    await removeKind();
    const struck = c1.faults.request({ path: /endpointslices/ }, { kind: 'not-served' });
    c1.proxy.cut();
    await service.eventually('slices are not served', () => struck.strikes > 2);
    assert.deepEqual(hub.writesSince(mark), []);
    struck.lift();
    await deliver();
    await pod.patch({ endpoints: [{ addresses: ['fd20::2'] }] });
    await pod.expectCopy();
  });

  /** A CRD that goes is served, empty, for a moment more. */
  async function removeKind(): Promise<void> {
    const { admin } = scenario().c1.plane;
    await admin.ask({ method: 'DELETE', path: CRD });
    await eventually('the kind is not served', async () => (await admin.status(SERVED)) === 404);
  }

  async function deliver(): Promise<void> {
    const { plane } = scenario().c1;
    await prepareCell(plane);
    await plane.admin.ask({ method: 'POST', path: SERVED, body: DELIVERED });
  }
});
