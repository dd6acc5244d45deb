// Why Network is mirrored: what gives a network its identity runs on the hub, and must tell "deleted" from "required nowhere now".
// A stand-in for it keeps one number for each upstream Network, by its uid, and frees it when the hub has no such Network.
import assert from 'node:assert/strict';
import { SOURCE_UID } from '#api/keys.ts';
import { objectsOn } from '#e2e/locations/objects-on.ts';
import { useProjects } from '#e2e/project-scenario.ts';
import { contextFields, NETWORK_CONTEXTS, networkFields, NETWORKS } from '#e2e/scenario/project-kinds.ts';
import type { Admin } from '#planes/admin.ts';

/** Looks at the hub's Networks as an allocator would, and never gives a number out twice. */
class Allocator {
  readonly #admin: Admin;
  readonly #numbers = new Map<string, number>();
  #next = 1;

  constructor(admin: Admin) {
    this.#admin = admin;
  }

  /** One pass over all Networks. @returns the number of the one with this uid upstream, if there is one. */
  async numberOf(upstreamUid: string): Promise<number | undefined> {
    const networks = await objectsOn(this.#admin).list(NETWORKS);
    const uids = new Set(networks.map(({ metadata }) => metadata.annotations?.[SOURCE_UID] ?? ''));
    for (const uid of this.#numbers.keys()) if (!uids.has(uid)) this.#numbers.delete(uid);
    for (const uid of uids) if (!this.#numbers.has(uid)) this.#numbers.set(uid, this.#next++);
    return this.#numbers.get(upstreamUid);
  }
}

describe('the identity of a network', () => {
  const scenario = useProjects();

  it('is kept while contexts come and go, through a restart too, and freed with the network only', async () => {
    const { p1, hub, service, declared } = scenario();
    const namespace = await p1.createNamespace();
    const network = await declared(p1, NETWORKS, { namespace, name: 'net' }).publish(networkFields());
    const uid = (await p1.objects.read(network.place))?.metadata.uid ?? '';
    const allocator = new Allocator(hub.plane.admin);
    const number = await allocator.numberOf(uid);
    assert.notEqual(number, undefined);
    for (const location of ['dfw', 'ams', 'dfw']) {
      const context = declared(p1, NETWORK_CONTEXTS, { namespace, name: `net-${location}` });
      await context.publish(contextFields({ network: 'net', location }));
      assert.equal(await allocator.numberOf(uid), number);
      if (location === 'ams') await service.kill();
      await context.delete();
      if (location === 'ams') await service.start();
      await context.expectNoCopy();
      assert.equal(await allocator.numberOf(uid), number);
    }
    await network.delete();
    await network.expectNoCopy();
    assert.equal(await allocator.numberOf(uid), undefined);
  });
});
