// What is declared is published, follows every change, is put right after other hands, and costs nothing while nothing changes.
import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { CITY_CODE, LOCATION_PUBLISHER, PUBLISHED_BY } from '#api/keys.ts';
import { CLUSTER_PROPAGATION_POLICIES, EVENTS, LOCATIONS, SERVING_LOCATIONS } from '#api/resources.ts';
import { eventually } from '#e2e/eventually.ts';
import { type LocationScene, useLocations } from '#e2e/locations/location-scene.ts';
import type { KubeObject } from '#api/objects.ts';
import { isRecord } from '#kube/objects.ts';
import { locationPolicy } from '#policies/location-policy.ts';

describe('publishing locations', () => {
  const scene = useLocations();
  publishing(scene);
  notPublishing(scene);
});

function publishing(scene: () => LocationScene): void {
  it('a declared location is published whole, with a policy of its own, both marked as ours', async () => {
    const { declare, published, policy, onSource } = scene();
    await declare('whole', { region: 'us', 'example.com/rack': '7' });
    const served = await published('whole');
    const declared = await onSource.read({ resource: LOCATIONS, name: 'whole' });
    assert.deepEqual(topologyOf(served), { [CITY_CODE]: 'X', region: 'us', 'example.com/rack': '7' });
    assert.equal(sourceOf(served)['generation'], declared?.metadata.generation);
    assert.ok(Date.parse(String(sourceOf(served)['publishedAt'])) > 0);
    assert.equal(served.metadata.labels?.[PUBLISHED_BY], LOCATION_PUBLISHER);
    const beside = await policy('whole');
    assert.deepEqual(beside?.['spec'], locationPolicy('whole')['spec']);
    assert.equal(beside?.metadata.labels?.[PUBLISHED_BY], LOCATION_PUBLISHER);
  });

  it('a declared location has another moment of publication when its content changes, and the same when only its labels do', async () => {
    const { declare, published, publisher, onSource } = scene();
    await declare('moment');
    const first = momentOf(await published('moment'));
    await onSource.patch({ resource: LOCATIONS, name: 'moment' }, { metadata: { labels: { 'example.com/a': 'b' } } });
    await publisher.passed();
    assert.equal(momentOf(await published('moment')), first);
    await declare('moment', { [CITY_CODE]: 'Y' });
    const second = await published('moment', (served) => topologyOf(served)[CITY_CODE] === 'Y');
    assert.notEqual(momentOf(second), first);
  });

  it('a declared location causes no write at all while nothing changes, nor when the publisher starts again', async () => {
    const { declare, published, publisher, writesDuring } = scene();
    await declare('steady');
    await published('steady');
    await publisher.passed();
    const writes = await writesDuring(async () => {
      await publisher.passed();
      await publisher.stop();
      await publisher.start();
      await publisher.passed();
    });
    assert.deepEqual(writes, []);
  });

  it('a declared location comes back after a deletion by hand, serving location and policy', async () => {
    const { declare, published, onHub } = scene();
    await declare('deleted');
    const before = await published('deleted');
    await onHub.remove({ resource: SERVING_LOCATIONS, name: 'deleted' });
    await onHub.remove({ resource: CLUSTER_PROPAGATION_POLICIES, name: 'location-deleted' });
    await published('deleted', ({ metadata }) => metadata.uid !== before.metadata.uid);
  });

  it('a declared location is put right after an edit by another manager, which is told once for each time', async () => {
    const { declare, published, publisher, onHub } = scene();
    await declare('edited', { region: 'us' });
    const right = topologyOf(await published('edited'));
    const before = await publisher.reported('ForeignFieldManager');
    const spec = { topology: { [CITY_CODE]: 'hand', region: 'us', more: 'hand' } };
    await onHub.apply({ resource: SERVING_LOCATIONS, name: 'edited' }, { spec });
    await eventually('the edit is reported', async () => (await publisher.reported('ForeignFieldManager')) === before + 1);
    await published('edited', (served) => sameTopology(served, right));
    await publisher.passed();
    assert.equal(await publisher.reported('ForeignFieldManager'), before + 1);
    const events = (await onHub.list(EVENTS)).filter(
      ({ reason, regarding }) => reason === 'ForeignFieldManager' && isAbout(regarding, 'edited'),
    );
    assert.equal(events.length, 1);
  });

  it('a declared location has its policy put right after an edit, and what was added to it goes', async () => {
    const { declare, published, policy, onHub } = scene();
    await declare('ruled');
    await published('ruled');
    const place = { resource: CLUSTER_PROPAGATION_POLICIES, name: 'location-ruled' };
    await onHub.patch(place, { spec: { conflictResolution: 'Abort', suspension: { dispatching: true } } });
    const right = locationPolicy('ruled')['spec'];
    await eventually('the policy is right', async () => isDeepStrictEqual((await policy('ruled'))?.['spec'], right));
  });

  it('a declared location keeps the labels and annotations that others gave it', async () => {
    const { declare, published, onHub } = scene();
    await declare('labelled');
    await published('labelled');
    const place = { resource: SERVING_LOCATIONS, name: 'labelled' };
    await onHub.patch(place, { metadata: { labels: { 'example.com/theirs': 'yes' }, annotations: { 'example.com/theirs': 'yes' } } });
    await declare('labelled', { [CITY_CODE]: 'Z' });
    const { metadata } = await published('labelled', (served) => topologyOf(served)[CITY_CODE] === 'Z');
    assert.deepEqual([metadata.labels?.['example.com/theirs'], metadata.annotations?.['example.com/theirs']], ['yes', 'yes']);
  });
}

function notPublishing(scene: () => LocationScene): void {
  it('a location that cannot be published for want of a city code stays away, is told once, and is published once it has one', async () => {
    const { declare, published, publisher, served, policy, onHub } = scene();
    await declare('nowhere', { [CITY_CODE]: null });
    await eventually('it is reported', () => publisher.reported('MissingCityCode'));
    await publisher.passed();
    assert.deepEqual([await served('nowhere'), await policy('nowhere')], [undefined, undefined]);
    assert.equal(await publisher.reported('MissingCityCode'), 1);
    assert.equal(await publisher.metric('fedhub_held_keys', { reason: 'MissingCityCode' }), 1);
    const events = (await onHub.list(EVENTS)).filter(({ reason }) => reason === 'MissingCityCode');
    assert.deepEqual(
      events.map(({ regarding, type, metadata }) => [isRecord(regarding) && regarding['name'], type, metadata.namespace]),
      [['nowhere', 'Warning', 'default']],
    );
    await declare('nowhere');
    await published('nowhere');
  });

  it('a location that cannot be published because its city code was lost stays as it was', async () => {
    const { declare, published, publisher, served, policy } = scene();
    await declare('lost');
    const before = await published('lost');
    await publisher.passed();
    await declare('lost', { [CITY_CODE]: null, region: 'new' });
    await eventually('it is held', () => publisher.metric('fedhub_held_keys', { reason: 'MissingCityCode' }));
    await publisher.passed();
    assert.deepEqual(await served('lost'), before);
    assert.ok(await policy('lost'));
  });

  it('a location that cannot be published because its name is taken leaves what is there alone, and is published once that is gone', async () => {
    const { declare, published, publisher, served, policy, onHub } = scene();
    const place = { resource: SERVING_LOCATIONS, name: 'taken' };
    await onHub.apply(place, { spec: { topology: { [CITY_CODE]: 'theirs' } } });
    const theirs = await served('taken');
    await declare('taken');
    await eventually('it is reported', () => publisher.reported('UnlabelledHubObject'));
    await publisher.passed();
    assert.deepEqual(await served('taken'), theirs);
    assert.equal(await policy('taken'), undefined);
    await onHub.remove(place);
    await published('taken', (found) => topologyOf(found)[CITY_CODE] === 'X');
  });

  it('a location with a policy whose name is taken is published without touching that', async () => {
    const { declare, publisher, served, policy, onHub } = scene();
    const before = await publisher.reported('UnlabelledHubObject');
    await onHub.apply({ resource: CLUSTER_PROPAGATION_POLICIES, name: 'location-beside' }, { spec: { resourceSelectors: [] } });
    const theirs = await policy('beside');
    await declare('beside');
    await eventually('it is served', () => served('beside'));
    await eventually('it is reported', async () => (await publisher.reported('UnlabelledHubObject')) > before);
    await publisher.passed();
    assert.deepEqual(await policy('beside'), theirs);
  });

  it('a location that cannot be published for its name, which no cell accepts, stays away', async () => {
    const { declare, publisher, served } = scene();
    await declare('two.parts');
    await eventually('it is reported', () => publisher.reported('InvalidLocationName'));
    await publisher.passed();
    assert.equal(await served('two.parts'), undefined);
  });
}

function topologyOf({ spec }: KubeObject): Record<string, unknown> {
  return isRecord(spec) && isRecord(spec['topology']) ? spec['topology'] : {};
}

function sourceOf({ spec }: KubeObject): Record<string, unknown> {
  return isRecord(spec) && isRecord(spec['source']) ? spec['source'] : {};
}

function momentOf(served: KubeObject): unknown {
  return sourceOf(served)['publishedAt'];
}

function sameTopology(served: KubeObject, topology: Record<string, unknown>): boolean {
  return isDeepStrictEqual(topologyOf(served), topology);
}

function isAbout(regarding: unknown, name: string): boolean {
  return isRecord(regarding) && regarding['name'] === name;
}
