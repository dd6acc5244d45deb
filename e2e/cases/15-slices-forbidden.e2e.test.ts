// Case 15: reading slices is forbidden on one cell while other reads work.
// The missing right is reported in words, nothing is taken away, and the other cell goes on.
import assert from 'node:assert/strict';
import { useScenario } from '#e2e/scenario.ts';
import { prepareCell } from '#e2e/shared-planes.ts';

describe('case 15: a cell where slices may not be read', () => {
  const scenario = useScenario();

  it('is reported, and holds up no other', async () => {
    const { c1, c2, hub, namespace, service, source } = scenario();
    const shared = await namespace();
    const gone = await source(c1, shared, 'gone').publish();
    await service.stop();
    await gone.delete();
    await c1.plane.admin.ask({ method: 'PATCH', path: ROLE, body: { rules: WITHOUT_SLICES }, contentType: 'application/merge-patch+json' });
    const mark = hub.mark();
    await service.start();
    await service.eventually('the missing right is named', () =>
      service.logs().some(({ err, cell }) => cell === 'c1' && /endpointslices on c1: forbidden/.test(JSON.stringify(err ?? ''))),
    );
    assert.deepEqual(hub.writesSince(mark), []);
    await source(c2, shared).publish();
    await prepareCell(c1.plane);
    await gone.expectNoCopy();
  });
});

const ROLE = '/apis/rbac.authorization.k8s.io/v1/clusterroles/fedhub-cell';
const READ = ['get', 'list', 'watch'];
const WITHOUT_SLICES = [
  { apiGroups: [''], resources: ['namespaces'], verbs: READ },
  { apiGroups: ['networking.datumapis.com'], resources: ['servinglocations'], verbs: READ },
];
