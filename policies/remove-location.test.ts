import assert from 'node:assert/strict';
import { json, status } from '#kube/testing/scripted-transport.ts';
import { removeLocation } from '#policies/remove-location.ts';
import { gone, listLocations, scriptedContext } from '#policies/testing/context.ts';
import { policyHeld, servedFor } from '#policies/testing/views.ts';

const removal = {
  kind: 'remove',
  location: servedFor(),
  policy: policyHeld(),
  lookedMs: 0,
  signal: new AbortController().signal,
  priority: 'sweep',
} as const;
const deleted = json({ kind: 'Status', status: 'Success' });
const terminating = json({ kind: 'ServingLocation', metadata: { name: 'dfw', deletionTimestamp: '2030-01-01T00:00:00Z' } });
const pathsOf = (hub: ReturnType<typeof scriptedContext>['hub']) =>
  hub.transport.requests.map(({ path }) => path.split('/').slice(-2).join('/'));

describe('removing a location', () => {
  it('deletes the serving location and then its policy, each as the very object that was read', async () => {
    const { context, hub } = scriptedContext({ hub: [deleted, deleted] });
    listLocations(context);
    assert.deepEqual(await removeLocation(context, 'dfw', removal), { action: 'withdrawn', reason: 'SourceAbsent' });
    assert.deepEqual(pathsOf(hub), ['servinglocations/dfw', 'clusterpropagationpolicies/location-dfw']);
    const preconditions = hub.transport.requests.map(({ body }) => (JSON.parse(body ?? '') as { preconditions: object }).preconditions);
    assert.deepEqual(preconditions, [
      { uid: 'held-uid', resourceVersion: '7' },
      { uid: 'policy-uid', resourceVersion: '7' },
    ]);
  });

  it('deletes nothing once the Location is seen to be there again', async () => {
    const { context, hub } = scriptedContext();
    listLocations(context, { metadata: { name: 'dfw' } });
    assert.deepEqual(await removeLocation(context, 'dfw', removal), { action: 'none', requeue: 'live' });
    assert.deepEqual(pathsOf(hub), []);
  });

  it('deletes nothing on a look that is more than a minute old when the hub lets the deletion go', async () => {
    const { context, hub } = scriptedContext({ hub: [deleted] });
    listLocations(context);
    hub.gate.holdFor(61_000);
    const outcome = removeLocation(context, 'dfw', { ...removal, lookedMs: hub.clock.monotonicMs() });
    await hub.clock.advance(61_000);
    assert.deepEqual(await outcome, { action: 'none', requeue: 'live' });
    assert.deepEqual(pathsOf(hub), []);
  });

  it('leaves the policy while the serving location has not gone', async () => {
    const { context, hub } = scriptedContext({ hub: [terminating] });
    listLocations(context);
    assert.equal((await removeLocation(context, 'dfw', removal)).reason, 'CopyTerminating');
    assert.deepEqual(pathsOf(hub), ['servinglocations/dfw']);
  });

  it('stops where the serving location is not as it was read', async () => {
    const { context, hub } = scriptedContext({ hub: [status(409, 'Conflict')] });
    listLocations(context);
    await assert.rejects(removeLocation(context, 'dfw', removal), { code: 'Conflict' });
    assert.equal(hub.transport.requests.length, 1);
  });

  it('goes on with the policy where the serving location is gone already, or was never ours', async () => {
    const { context, hub } = scriptedContext({ hub: [gone('servinglocations', 'dfw'), deleted, deleted] });
    listLocations(context);
    assert.equal((await removeLocation(context, 'dfw', removal)).action, 'withdrawn');
    assert.equal((await removeLocation(context, 'dfw', { ...removal, location: undefined })).action, 'withdrawn');
    assert.deepEqual(pathsOf(hub).slice(1), ['clusterpropagationpolicies/location-dfw', 'clusterpropagationpolicies/location-dfw']);
  });
});
