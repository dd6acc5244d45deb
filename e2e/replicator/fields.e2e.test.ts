// The body of an object crosses whole: fields that nobody here has heard of too. Where the hub's definition drops some of it,
// that is the hub's answer, and is not asked for again and again. The version is the configured one, never the preferred one.
import assert from 'node:assert/strict';
import { useProjects } from '#e2e/project-scenario.ts';
import { definitionOf, invented, rightsOn, undefine } from '#e2e/scenario/project-kinds.ts';
import { applyAll } from '#planes/manifests.ts';

const [OPEN, PRUNED] = [invented('Gadget'), invented('Gizmo')];
const KINDS = [OPEN, PRUNED];

describe('the fields of an object', () => {
  const kinds = KINDS.map(({ group, version, kind }) => ({ group, version, kind }));
  const scenario = useProjects({ replicator: { kinds }, stopped: true });

  before('define the kinds', async () => {
    const { hub, p1, p2, service } = scenario();
    const later = { otherVersions: ['v1alpha1'] };
    for (const { plane } of [p1, p2])
      await applyAll(
        plane,
        KINDS.flatMap((kind) => [definitionOf(kind, later), ...rightsOn(kind, ['get', 'list', 'watch'])]),
      );
    await applyAll(hub.plane, [definitionOf(OPEN, later), definitionOf(PRUNED, { ...later, prunes: true })]);
    await applyAll(
      hub.plane,
      KINDS.flatMap((kind) => rightsOn(kind, ['get', 'list', 'watch', 'create', 'patch', 'delete'])),
    );
    await service.start();
  });
  after('forget the kinds', async () => {
    const { hub, p1, p2 } = scenario();
    for (const { plane } of [hub, p1, p2]) for (const kind of KINDS) await undefine(plane, kind);
  });

  it('cross whole, unknown ones too', async () => {
    const { p1, declared } = scenario();
    const gadget = declared(p1, OPEN, { namespace: await p1.createNamespace(), name: 'g' });
    await gadget.publish({ spec: { known: 'a', deep: { er: [{ x: 1 }, []], empty: {}, no: false, zero: 0, text: '' } } });
  });

  it('that the hub drops are not written again and again, and changes of the others arrive', async () => {
    const { p1, hub, service, declared, swept } = scenario();
    const gizmo = declared(p1, PRUNED, { namespace: await p1.createNamespace(), name: 'g' });
    await gizmo.declare({ spec: { known: 'a', dropped: 'x' } });
    const holds = (known: string) =>
      service.eventually(`the hub holds ${known}`, async () => {
        assert.deepEqual((await gizmo.copy())?.['spec'], { known });
        return true;
      });
    await holds('a');
    const mark = hub.mark();
    await swept(p1, `replicator.gizmo.${PRUNED.group}`);
    assert.deepEqual(hub.writesSince(mark), []);
    await gizmo.patch({ spec: { known: 'b', dropped: 'y' } });
    await holds('b');
  });

  it('are those of the configured version where a later one is served beside it', () => {
    const { hub, p1 } = scenario();
    for (const { proxy } of [hub, p1]) {
      assert.ok(proxy.requests.count({ path: /inventions\.example\.com\/v1alpha\// }) > 0);
      assert.equal(proxy.requests.count({ path: /v1alpha1/ }), 0);
    }
  });
});
