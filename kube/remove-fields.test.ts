import assert from 'node:assert/strict';
import { ENDPOINT_SLICES } from '#api/resources.ts';
import { removeFields } from '#kube/remove-fields.ts';
import { scriptedClient } from '#kube/testing/scripted-client.ts';
import { json, status } from '#kube/testing/scripted-transport.ts';

const ref = { resource: ENDPOINT_SLICES, namespace: 'ns', name: 'a' };
const slice = { apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', metadata: { name: 'a', namespace: 'ns' } };
const removing = { fields: { ports: null }, uid: 'u', resourceVersion: '7', fieldManager: 'test', signal: new AbortController().signal };

describe('removing fields', () => {
  it('asks for nothing but these, of that very object as it was looked at', async () => {
    const client = scriptedClient(json(slice));
    assert.deepEqual(await removeFields(client, ref, removing), slice);
    const [request] = client.transport.requests;
    assert.deepEqual([request?.method, request?.contentType], ['PATCH', 'application/merge-patch+json']);
    assert.deepEqual(JSON.parse(request?.body ?? ''), { ports: null, metadata: { uid: 'u', resourceVersion: '7' } });
  });

  it('says when the object is no longer as it was', async () => {
    await assert.rejects(removeFields(scriptedClient(status(409, 'Conflict')), ref, removing), {
      code: 'Conflict',
      message: 'Cannot prune EndpointSlice "ns/a" on cell-1: conflict',
    });
  });

  it('is never asked of a whole collection, and believes no answer about anything else', async () => {
    await assert.rejects(removeFields(scriptedClient(), { resource: ENDPOINT_SLICES, namespace: 'ns' }, removing), TypeError);
    await assert.rejects(removeFields(scriptedClient(json({})), ref, removing), { code: 'Malformed' });
  });
});
