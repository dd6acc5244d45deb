import assert from 'node:assert/strict';
import { json, status } from '#kube/testing/scripted-transport.ts';
import { lookLive } from '#policies/look-live.ts';
import { gone, identityOf, listLocations, scriptedContext } from '#policies/testing/context.ts';

const looking = { signal: new AbortController().signal, priority: 'live' } as const;
const location = { kind: 'Location', metadata: { name: 'dfw', uid: 'l', generation: 2 }, spec: { topology: { a: 'b' } } };
const list = (kind: string, items: unknown[]) => json({ kind: `${kind}List`, metadata: { resourceVersion: '1' }, items });
const nothingHeld = [gone('servinglocations', 'dfw'), gone('clusterpropagationpolicies', 'location-dfw')];
const fleet = list('Cluster', [{ metadata: { name: 'c1' } }]);

async function bound(answers: Parameters<typeof scriptedContext>[0]) {
  const scene = scriptedContext({ ...answers, source: [identityOf('u1'), ...(answers?.source ?? [])] });
  await scene.context.identity.bind(looking.signal);
  return scene;
}

describe('a live look at a location', () => {
  it('shows what is declared and what the hub holds, and asks for no guard while it is declared', async () => {
    const { context } = await bound({ hub: nothingHeld, source: [json(location), identityOf('u1')] });
    const view = await lookLive(context, 'dfw', looking);
    assert.deepEqual(view.source, { kind: 'present', object: { uid: 'l', generation: 2, topology: { a: 'b' }, deleting: false } });
    assert.deepEqual(
      [view.held.kind, view.policy.kind, view.sourceCount.kind, view.clusters.kind],
      ['absent', 'absent', 'unknown', 'unknown'],
    );
  });

  it('takes a Location for absent only by a 404 after a complete list, from the plane that it was, and then looks at the guards', async () => {
    const others = list('Location', [{ metadata: { name: 'ams' } }]);
    const { context } = await bound({ hub: [...nothingHeld, fleet], source: [gone('locations', 'dfw'), others, identityOf('u1')] });
    listLocations(context);
    const view = await lookLive(context, 'dfw', looking);
    assert.equal(view.source.kind, 'absent');
    assert.deepEqual(view.sourceCount, { kind: 'present', object: 1 });
    assert.deepEqual(view.clusters, { kind: 'present', object: [{ name: 'c1', ready: false, location: undefined }] });
  });

  it('concludes nothing from a 404 before a list was complete', async () => {
    const { context } = await bound({ hub: nothingHeld, source: [gone('locations', 'dfw'), identityOf('u1')] });
    assert.equal((await lookLive(context, 'dfw', looking)).source.kind, 'unknown');
  });

  it('concludes nothing from a 404 of another plane behind the same address', async () => {
    const { context } = await bound({
      hub: [...nothingHeld, fleet],
      source: [gone('locations', 'dfw'), list('Location', []), identityOf('u2')],
    });
    listLocations(context);
    await assert.rejects(lookLive(context, 'dfw', looking), { code: 'IdentityFenced' });
  });

  it('concludes nothing from any failure, wherever it comes from', async () => {
    const refused = status(403, 'Forbidden');
    const absent = [gone('locations', 'dfw'), list('Location', [])];
    for (const answers of [
      { source: [refused] },
      { source: [status(404, 'NotFound')] },
      { source: absent, hub: [refused] },
      { source: absent, hub: [nothingHeld[0] ?? refused, refused] },
      { source: [gone('locations', 'dfw'), refused], hub: nothingHeld },
      { source: absent, hub: [...nothingHeld, refused] },
      { source: [...absent, refused], hub: [...nothingHeld, fleet] },
    ]) {
      const { context } = await bound(answers);
      listLocations(context);
      await assert.rejects(lookLive(context, 'dfw', looking), { name: 'ApiError' });
    }
  });
});
