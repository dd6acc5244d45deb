// Where nothing changes nothing is written: not by sweeps, not by a restart, not by a second service beside the first.
// And whatever happens, a project is only read: get, list and watch, by its own audit log.
import assert from 'node:assert/strict';
import { useProjects } from '#e2e/project-scenario.ts';
import { contextFields, NETWORK_CONTEXTS, networkFields, NETWORKS, SUBNETS } from '#e2e/scenario/project-kinds.ts';
import type { Declared } from '#e2e/scenario/declared.ts';
import { auditOf } from '#e2e/scenario/hub-side.ts';
import { Service } from '#e2e/service.ts';
import { sharedProjects } from '#e2e/shared-projects.ts';
import { SERVICE_USER } from '#planes/plane-files.ts';

/** Six rounds of sweeps of every kind and project, by two services on a busy machine, in milliseconds. */
const SWEEPS_MS = 300_000;

describe('a steady state of projects', () => {
  const scenario = useProjects();
  let network: Declared;

  before('publish some objects', async () => {
    const { p1, p2, declared } = scenario();
    const namespace = await p1.createNamespace();
    network = await declared(p1, NETWORKS, { namespace, name: 'n'.repeat(100) }).publish(networkFields());
    await declared(p2, NETWORKS, { namespace: await p2.createNamespace(), name: 'net' }).publish(networkFields({ mtu: 1500 }));
    await declared(p1, NETWORK_CONTEXTS, { namespace, name: 'net-dfw' }).publish(contextFields({ network: 'net', location: 'dfw' }));
    const { metadata } = contextFields({ network: 'net', location: 'dfw' });
    await declared(p1, SUBNETS, { namespace, name: 'net-dfw-1' }).publish({
      metadata,
      spec: {
        subnetClass: 'private',
        networkContext: { name: 'net-dfw' },
        location: { name: 'dfw' },
        ipFamily: 'IPv6',
        startAddress: 'fd00::',
        prefixLength: 64,
      },
    });
  });

  async function twoSweeps() {
    const { p1, p2, swept } = scenario();
    for (const project of [p1, p2]) await swept(project);
  }

  it('sees no write over two sweeps of each project', async () => {
    const { hub } = scenario();
    const mark = hub.mark();
    await twoSweeps();
    assert.deepEqual(hub.writesSince(mark), []);
  });

  it('sees no write by a service that is started anew', async () => {
    const { hub, service } = scenario();
    const mark = hub.mark();
    await service.stop();
    await service.start();
    await twoSweeps();
    assert.deepEqual(hub.writesSince(mark), []);
  });

  it('sees no write by a second service beside the first, and no fight when something changes', async function () {
    this.timeout(SWEEPS_MS);
    const { hub, folder } = scenario();
    assert.ok(this.test?.parent);
    const { environment } = await sharedProjects(this.test.parent);
    const second = new Service({ environment, name: 'second-of-projects', configFile: `${folder}/hub.yaml` });
    const mark = hub.mark();
    await second.start();
    try {
      await second.eventually(
        'the second has listed all',
        async () => !/"phase":"(connecting|listing)"/.test((await second.ask('/status')).body),
      );
      await twoSweeps();
      assert.deepEqual(hub.writesSince(mark), []);
      await network.patch({ spec: { mtu: 1400 } });
      await network.expectCopy();
      await twoSweeps();
      // Both may have written, and tried again where they crossed. A fight would go on.
      const settled = hub.mark();
      await twoSweeps();
      assert.deepEqual(hub.writesSince(settled), []);
    } finally {
      await second.stop();
    }
  });

  it('has only ever read the projects', () => {
    const { p1, p2 } = scenario();
    for (const { plane } of [p1, p2]) {
      const verbs = new Set(auditOf(plane).flatMap(({ user, verb }) => (user.username === SERVICE_USER ? [verb] : [])));
      assert.deepEqual([...verbs].toSorted(), ['get', 'list', 'watch']);
    }
  });
});
