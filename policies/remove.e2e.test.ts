// A location that is gone at its source leaves the hub, unless a guard holds it; what is blocked says why and is tried again.
import assert from 'node:assert/strict';
import { REMOVAL_BLOCKED, REMOVAL_OVERRIDE } from '#api/keys.ts';
import { KARMADA_CLUSTERS, LOCATIONS, SERVING_LOCATIONS } from '#api/resources.ts';
import { eventually } from '#e2e/eventually.ts';
import { type LocationScene, serveKind, useLocations } from '#e2e/locations/location-scene.ts';
import { auditOf } from '#e2e/scenario/hub-side.ts';

/** Declared throughout, so that the list of Locations is never empty unless a test wants it to be. */
const OTHER = 'other';

describe('a location that is gone at its source', () => {
  const scene = useLocations();

  beforeEach(() => scene().declare(OTHER));
  afterEach('leave no cluster behind', async () => {
    for (const { metadata } of await scene().onHub.list(KARMADA_CLUSTERS)) await scene().removeCluster(metadata.name);
  });

  it('leaves the hub where no guard holds it: the serving location first, then its policy', async () => {
    const { hub } = scene();
    await scene().cluster('elsewhere', { location: OTHER });
    await scene().cluster('down', { ready: false });
    await gone(scene(), 'plain');
    await scene().removed('plain');
    // An object is seen to be gone a moment before the request that deleted it is in the audit log.
    const look = () => {
      const deletions = auditOf(hub).filter(({ verb, user }) => verb === 'delete' && user.username === 'fedhub');
      assert.deepEqual(
        deletions.map(({ objectRef }) => `${objectRef?.resource} ${objectRef?.name}`),
        ['servinglocations plain', 'clusterpropagationpolicies location-plain'],
      );
      return true;
    };
    await eventually('both deletions are logged, in order', look);
  });

  it('stays while a Ready cluster serves it, says which, and goes once none does', async () => {
    const { cluster, removed, onHub } = scene();
    await cluster('c2', { location: 'served' });
    await cluster('c1', { location: 'served' });
    await gone(scene(), 'served');
    await blocked(scene(), 'served', 'ClustersStillServing: Ready with location "served": c1, c2');
    await onHub.patch({ resource: KARMADA_CLUSTERS, name: 'c1' }, { metadata: { labels: { 'topology.datum.net/location': OTHER } } });
    await blocked(scene(), 'served', 'ClustersStillServing: Ready with location "served": c2');
    await cluster('c2', { location: 'served', ready: false });
    await removed('served');
  });

  it('stays while a Ready cluster has no location at all, and goes once every one has', async () => {
    const { cluster, removed } = scene();
    await cluster('bare', {});
    await gone(scene(), 'unlabelled');
    await blocked(scene(), 'unlabelled', 'FleetNotFullyLabelled: Ready without label topology.datum.net/location: bare');
    await cluster('bare', { location: OTHER });
    await removed('unlabelled');
  });

  it('goes whatever the clusters say once an operator says so', async () => {
    const { cluster, removed, onHub } = scene();
    await cluster('c1', { location: 'overridden' });
    await cluster('bare', {});
    await gone(scene(), 'overridden');
    await blocked(scene(), 'overridden', 'ClustersStillServing: Ready with location "overridden": c1');
    await onHub.patch({ resource: SERVING_LOCATIONS, name: 'overridden' }, { metadata: { annotations: { [REMOVAL_OVERRIDE]: 'true' } } });
    await removed('overridden');
  });

  it('stays while nothing at all is declared, override or not, and goes once anything is', async () => {
    const { undeclare, removed, declare, onHub, publisher, served } = scene();
    await gone(scene(), 'last');
    await undeclare(OTHER);
    await blocked(scene(), 'last', 'EmptySourceList: the source lists no Location at all');
    await blocked(scene(), OTHER, 'EmptySourceList: the source lists no Location at all');
    await onHub.patch({ resource: SERVING_LOCATIONS, name: 'last' }, { metadata: { annotations: { [REMOVAL_OVERRIDE]: 'true' } } });
    await publisher.passed();
    assert.ok(await served('last'));
    await declare(OTHER);
    await removed('last');
  });

  it('that comes back while its removal is blocked loses the annotation, and nothing else changes', async () => {
    const { cluster, published, declare } = scene();
    await cluster('c1', { location: 'back' });
    await declare('back');
    const before = await published('back');
    await gone(scene(), 'back');
    await blocked(scene(), 'back', 'ClustersStillServing: Ready with location "back": c1');
    await declare('back');
    const after = await published('back', ({ metadata }) => metadata.annotations?.[REMOVAL_BLOCKED] === undefined);
    assert.equal(after.metadata.uid, before.metadata.uid);
    // A Location made anew starts at generation 1, as this one did.
    assert.deepEqual(after['spec'], before['spec']);
  });

  it('causes no write while its removal stays blocked', async () => {
    const { cluster, publisher, writesDuring } = scene();
    await cluster('c1', { location: 'waiting' });
    await gone(scene(), 'waiting');
    await blocked(scene(), 'waiting', 'ClustersStillServing: Ready with location "waiting": c1');
    assert.deepEqual(await writesDuring(() => publisher.passed()), []);
  });

  it('leaves nothing of ours behind when it went while the publisher was away, and what is not ours stays', async () => {
    const { publisher, undeclare, declare, published, removed, served, onHub } = scene();
    await declare('missed');
    await published('missed');
    await onHub.apply({ resource: SERVING_LOCATIONS, name: 'theirs' }, { spec: { topology: { 'topology.datum.net/city-code': 'T' } } });
    await publisher.stop();
    await undeclare('missed');
    await publisher.start();
    await removed('missed');
    await publisher.passed();
    assert.ok(await served('theirs'));
  });

  it('stays while the plane of Locations is away or no longer serves them, and follows it again afterwards', async () => {
    const { declare, published, served, source, publisher, hub } = scene();
    const deletions = () => auditOf(hub).filter(({ verb, user }) => verb === 'delete' && user.username === 'fedhub').length;
    await publisher.passed();
    const deletionsBefore = deletions();
    await declare('kept');
    const before = await published('kept');
    await source.stop();
    await eventually('a pass breaks off', async () => (await publisher.metric('fedhub_sweeps_total', { result: 'broken' })) > 0);
    assert.deepEqual(await served('kept'), before);
    await source.start();
    await declare('kept', { region: 'new' });
    await published('kept', ({ metadata }) => metadata.generation !== before.metadata.generation);
    await source.admin.ask({
      method: 'DELETE',
      path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/locations.networking.datumapis.com',
    });
    await eventually('the publisher notices', () =>
      publisher.log.lines.some(({ message, err }) => message !== '' && String(err).includes('not served')),
    );
    assert.ok(await served('kept'));
    assert.equal(deletions(), deletionsBefore);
  });
});

describe('a hub that does not serve every kind', () => {
  const scene = useLocations({ withoutKinds: [SERVING_LOCATIONS, KARMADA_CLUSTERS] });

  it('is waited for, and a removal waits for the clusters to be known', async () => {
    const { declare, undeclare, published, removed, publisher, hub, served, onHub } = scene();
    await declare('waiting');
    await declare(OTHER);
    await eventually('the publisher waits', () => publisher.status.waitingFor.includes('ServingLocationsUnread'));
    assert.equal(publisher.status.observed, false);
    await serveKind(hub, SERVING_LOCATIONS);
    await published('waiting');
    await undeclare('waiting');
    await eventually('the removal waits', () =>
      publisher.status.waitingFor.some((reason) => /^(FleetUnread|NotServed) \(1\)$/.test(reason)),
    );
    assert.ok(await served('waiting'));
    await serveKind(hub, KARMADA_CLUSTERS);
    await removed('waiting');
    assert.deepEqual(
      (await onHub.list(SERVING_LOCATIONS)).map(({ metadata }) => metadata.name),
      [OTHER],
    );
  });
});

/** Declares a location, has it published, and takes it away again. */
async function gone({ declare, published, onSource }: LocationScene, name: string): Promise<void> {
  await declare(name);
  await published(name);
  await onSource.remove({ resource: LOCATIONS, name });
}

async function blocked({ published }: LocationScene, name: string, text: string): Promise<void> {
  await published(name, ({ metadata }) => metadata.annotations?.[REMOVAL_BLOCKED] === text);
}
