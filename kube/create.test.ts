import assert from 'node:assert/strict';
import { ENDPOINT_SLICES } from '#api/resources.ts';
import { createObject } from '#kube/create.ts';
import { scriptedClient } from '#kube/testing/scripted-client.ts';
import { json, status } from '#kube/testing/scripted-transport.ts';

const slice = { apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', metadata: { name: 'a', namespace: 'ns' }, ports: null };
const creating = { resource: ENDPOINT_SLICES, fieldManager: 'test', signal: new AbortController().signal };

describe('creating', () => {
  it('sends exactly the object to its collection, under its field manager', async () => {
    const client = scriptedClient(json(slice, 201));
    assert.deepEqual(await createObject(client, slice, creating), slice);
    const [request] = client.transport.requests;
    assert.deepEqual([request?.method, request?.path], ['POST', '/apis/discovery.k8s.io/v1/namespaces/ns/endpointslices']);
    assert.deepEqual(request?.query, { fieldManager: 'test' });
    assert.equal(request?.body, JSON.stringify(slice));
  });

  it('says when there is one of that name', async () => {
    const client = scriptedClient(status(409, 'AlreadyExists', { details: { name: 'a', kind: 'endpointslices' } }));
    await assert.rejects(createObject(client, slice, creating), {
      code: 'AlreadyExists',
      message: 'Cannot create EndpointSlice "ns/a" on cell-1: already exists',
    });
  });

  it('believes no answer about anything else', async () => {
    const client = scriptedClient(json({ ...slice, metadata: { name: 'b', namespace: 'ns' } }, 201));
    await assert.rejects(createObject(client, slice, creating), { code: 'Malformed' });
  });
});
