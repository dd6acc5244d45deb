// Another kind to replicate takes a line of configuration and no code. Its definition may be missing on either side, come, go
// and come again while the service runs: "not served" never means "all of them are deleted".
import assert from 'node:assert/strict';
import { useProjects } from '#e2e/project-scenario.ts';
import { definitionOf, invented, networkFields, NETWORKS, rightsOn, undefine } from '#e2e/scenario/project-kinds.ts';
import { applyAll } from '#planes/manifests.ts';

const WIDGETS = invented('Widget');
const { group, version, kind } = WIDGETS;
const NETWORK = { group: NETWORKS.group, version: NETWORKS.version, kind: NETWORKS.kind };
const CONTROLLER = `replicator.widget.${group}`;

describe('a kind of a test’s own invention', () => {
  const scenario = useProjects({ replicator: { kinds: [NETWORK, { group, version, kind }] } });

  before('grant the rights', async () => {
    const { hub, p1, p2 } = scenario();
    await applyAll(hub.plane, rightsOn(WIDGETS, ['get', 'list', 'watch', 'create', 'patch', 'delete']));
    for (const { plane } of [p1, p2]) await applyAll(plane, rightsOn(WIDGETS, ['get', 'list', 'watch']));
  });
  after('forget the kind', async () => {
    const { hub, p1 } = scenario();
    for (const { plane } of [hub, p1]) await undefine(plane, WIDGETS);
  });

  const define = (side: 'hub' | 'p1') => applyAll(scenario()[side].plane, [definitionOf(WIDGETS)]);

  it('is waited for while the hub does not serve it, said so, and holds up no other kind', async () => {
    const { p1, service, declared } = scenario();
    await define('p1');
    await service.eventually('it is said', async () => (await service.ask('/status')).body.includes(`${CONTROLLER}: NotServed`));
    await service.ready();
    const namespace = await p1.createNamespace();
    const widget = await declared(p1, WIDGETS, { namespace, name: 'w' }).declare({ spec: { known: 'a' } });
    await declared(p1, NETWORKS, { namespace, name: 'net' }).publish(networkFields());
    await define('hub');
    await widget.expectCopy();
  });

  it('is followed like any other', async () => {
    const { p1, declared } = scenario();
    const widget = declared(p1, WIDGETS, { namespace: await p1.createNamespace(), name: 'w' });
    await widget.publish({ spec: { known: 'a', unheard: { of: [1, null, 'x'] } } });
    await widget.patch({ spec: { known: 'b' } });
    await widget.expectCopy();
    await widget.delete();
    await widget.expectNoCopy();
  });

  it('comes back on the hub with its copies when its definition was removed there', async () => {
    const { p1, hub, declared } = scenario();
    const widget = declared(p1, WIDGETS, { namespace: await p1.createNamespace(), name: 'w' });
    await widget.publish({ spec: { known: 'a' } });
    await undefine(hub.plane, WIDGETS);
    await define('hub');
    await widget.expectCopy();
  });

  it('keeps its copies while the project briefly does not serve it', async () => {
    const { p1, hub, service, declared } = scenario();
    const widget = declared(p1, WIDGETS, { namespace: await p1.createNamespace(), name: 'w' });
    await widget.publish({ spec: { known: 'a' } });
    const mark = hub.mark();
    const struck = p1.faults.request({ path: /widgets/ }, { kind: 'not-served' });
    p1.proxy.cut();
    await service.eventually('it has asked again and again', () => struck.strikes > 4);
    assert.ok((await service.ask('/status')).body.includes(`${CONTROLLER}: NotServed`));
    assert.deepEqual(hub.writesSince(mark), []);
    struck.lift();
    await widget.patch({ spec: { known: 'b' } });
    await widget.expectCopy();
  });

  it('loses its copies only once they are proven gone: when its definition is back in the project', async () => {
    const { p1, hub, declared } = scenario();
    const widget = declared(p1, WIDGETS, { namespace: await p1.createNamespace(), name: 'w' });
    await widget.publish({ spec: { known: 'a' } });
    // The service sees none of the deletions, only that the kind is not served any more.
    const struck = p1.faults.request({ path: /widgets/ }, { kind: 'not-served' });
    p1.proxy.cut();
    await undefine(p1.plane, WIDGETS);
    const mark = hub.mark();
    struck.lift();
    await scenario().service.eventually('it asks the project', () => p1.proxy.requests.count({ path: /widgets/ }) > struck.strikes + 2);
    assert.deepEqual(hub.writesSince(mark), []);
    assert.notEqual(await widget.copy(), undefined);
    await define('p1');
    await widget.expectNoCopy();
    await widget.publish({ spec: { known: 'c' } });
  });
});
