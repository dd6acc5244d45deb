// A write that the hub refuses once, in whatever way, is made again or found made: nothing is ever stuck.
import { useProjects } from '#e2e/project-scenario.ts';
import { networkFields, NETWORKS } from '#e2e/scenario/project-kinds.ts';

describe('a refused write on the hub', () => {
  const scenario = useProjects();
  afterEach(() => scenario().hub.faults.clear());

  for (const status of [404, 409, 410, 429, 500] as const) {
    it(`is made good: ${status} once for each`, async () => {
      const { p1, hub, declared } = scenario();
      const network = declared(p1, NETWORKS, { namespace: await p1.createNamespace(), name: 'net' });
      hub.faults.request({ method: 'PATCH', path: /\/namespaces\/ns-[^/]+$/ }, { kind: 'status', status }, { times: 1 });
      hub.faults.request({ method: 'PATCH', path: /\/networks\// }, { kind: 'status', status }, { times: 1 });
      await network.publish(networkFields());
      hub.faults.request({ method: 'PATCH', path: /\/networks\// }, { kind: 'status', status }, { times: 1 });
      await network.patch({ spec: { mtu: 1400 } });
      await network.expectCopy();
      hub.faults.request({ method: 'DELETE', path: /\/networks\// }, { kind: 'status', status }, { times: 1 });
      await network.delete();
      await network.expectNoCopy();
    });
  }
});
