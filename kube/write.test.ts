import assert from 'node:assert/strict';
import { ENDPOINT_SLICES } from '#api/resources.ts';
import { applyObject } from '#kube/apply.ts';
import { deleteObject } from '#kube/delete.ts';
import { NotSentError } from '#kube/errors.ts';
import { findResource } from '#kube/find-resource.ts';
import { scriptedClient } from '#kube/testing/scripted-client.ts';
import { json, status, text } from '#kube/testing/scripted-transport.ts';

const signal = new AbortController().signal;
const ref = { resource: ENDPOINT_SLICES, namespace: 'ns', name: 'a' };
const slice = {
  apiVersion: 'discovery.k8s.io/v1',
  kind: 'EndpointSlice',
  metadata: { name: 'a', namespace: 'ns' },
  ports: null,
  newer: { field: 1 },
};
const applying = { resource: ENDPOINT_SLICES, fieldManager: 'test', force: true, signal };

describe('applying', () => {
  it('sends exactly the object, unset and unknown fields included, under its field manager', async () => {
    const client = scriptedClient(json(slice, 201));
    assert.deepEqual(await applyObject(client, slice, applying), { object: slice, created: true });
    const [request] = client.transport.requests;
    assert.equal(request?.method, 'PATCH');
    assert.equal(request.contentType, 'application/apply-patch+yaml');
    assert.deepEqual(request.query, { fieldManager: 'test', force: 'true' });
    assert.equal(request.body, JSON.stringify(slice));
  });

  it('tells a change from a creation', async () => {
    assert.equal((await applyObject(scriptedClient(json(slice)), slice, applying)).created, false);
  });

  it('says when another manager owns a field', async () => {
    const details = { causes: [{ reason: 'FieldManagerConflict', message: 'conflict with "kubectl"', field: '.ports' }] };
    const client = scriptedClient(status(409, 'Conflict', { details }));
    await assert.rejects(applyObject(client, slice, { ...applying, force: false }), {
      code: 'Conflict',
      message: 'Cannot apply EndpointSlice "ns/a" on cell-1: field manager conflict',
    });
  });
});

describe('deleting', () => {
  const deleting = { uid: 'u', resourceVersion: '7', signal };

  it('asks for that very object, as it was looked at', async () => {
    const client = scriptedClient(json({ kind: 'Status', status: 'Success' }));
    assert.equal(await deleteObject(client, ref, deleting), 'deleted');
    assert.deepEqual(JSON.parse(client.transport.requests[0]?.body ?? ''), {
      apiVersion: 'v1',
      kind: 'DeleteOptions',
      preconditions: { uid: 'u', resourceVersion: '7' },
    });
  });

  it('is not sent where it is not wanted any more when its turn comes', async () => {
    const client = scriptedClient(json({ kind: 'Status', status: 'Success' }));
    client.gate.holdFor(60_000);
    let wanted = true;
    const rejected = assert.rejects(deleteObject(client, ref, { ...deleting, stillWanted: () => wanted }), NotSentError);
    await client.clock.advance(59_999);
    wanted = false;
    await client.clock.advance(1);
    await rejected;
    assert.deepEqual(client.transport.requests, []);
  });

  it('knows an object that a finalizer keeps from one that is gone', async () => {
    const kept = { ...slice, metadata: { ...slice.metadata, deletionTimestamp: '2030-01-01T00:00:00Z', finalizers: ['x/y'] } };
    assert.equal(await deleteObject(scriptedClient(json(kept)), ref, deleting), 'terminating');
    assert.equal(await deleteObject(scriptedClient(json(slice)), ref, deleting), 'deleted');
  });

  it('believes no answer about anything else', async () => {
    const other = { ...slice, metadata: { name: 'b', namespace: 'ns' } };
    for (const body of [other, {}, { kind: 'Status', status: 'Failure' }]) {
      await assert.rejects(deleteObject(scriptedClient(json(body)), ref, deleting), { code: 'Malformed' });
    }
  });

  it('is never asked of a whole collection', async () => {
    const client = scriptedClient();
    await assert.rejects(deleteObject(client, { resource: ENDPOINT_SLICES, namespace: 'ns' }, deleting), TypeError);
    await assert.rejects(deleteObject(client, { ...ref, name: '' }, deleting), TypeError);
    assert.deepEqual(client.transport.requests, []);
  });
});

describe('where a kind is served', () => {
  const served = (resources: unknown) => json({ kind: 'APIResourceList', groupVersion: 'discovery.k8s.io/v1', resources });
  const find = (...answers: Parameters<typeof scriptedClient>) => findResource(scriptedClient(...answers), ENDPOINT_SLICES, { signal });

  it('is answered by the list of exactly its group and version', async () => {
    const client = scriptedClient(served([{ name: 'endpointslices', kind: 'EndpointSlice', namespaced: true }]));
    assert.deepEqual(await findResource(client, ENDPOINT_SLICES, { signal }), ENDPOINT_SLICES);
    assert.equal(client.transport.requests[0]?.path, '/apis/discovery.k8s.io/v1');
  });

  it('is nowhere when the version is unknown or does not have it', async () => {
    assert.equal(await find(text('404 page not found', 404)), undefined);
    assert.equal(await find(served([{ name: 'endpointslices/status', kind: 'EndpointSlice' }])), undefined);
  });

  it('is unknown where the server does not say', async () => {
    await assert.rejects(find(status(403, 'Forbidden')), { code: 'Forbidden' });
    await assert.rejects(find(json({})), { code: 'Malformed' });
  });
});
