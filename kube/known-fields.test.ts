import assert from 'node:assert/strict';
import type { KubeObject } from '#api/objects.ts';
import { isApiError } from '#kube/errors.ts';
import { knownFields } from '#kube/known-fields.ts';
import { scriptedClient } from '#kube/testing/scripted-client.ts';
import { json, status } from '#kube/testing/scripted-transport.ts';

const resource = { group: 'example.com', version: 'v1', kind: 'Widget', plural: 'widgets', namespaced: true };
const options = { resource, signal: new AbortController().signal };
const widget = (spec: unknown, more: Record<string, unknown> = {}): KubeObject => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name: 'w', namespace: 'a', labels: { l: 'x' } },
  spec,
  ...more,
});

/** What is known of the fields of `asked` where the server keeps `kept`. */
async function ask(asked: KubeObject, kept: Record<string, unknown>) {
  const client = scriptedClient(json({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'try-out-x' }, ...kept }, 201));
  const known = await knownFields(client, asked, options);
  return { known: known && JSON.parse(JSON.stringify(known)), request: client.transport.requests[0] };
}

describe('the known fields of an object', () => {
  it('are nothing to speak of when the server keeps all of them, whatever it adds', async () => {
    assert.equal((await ask(widget({ a: 1 }), { spec: { a: 1, added: 2 }, status: {} })).known, undefined);
  });

  it('are the object without what the server drops, at every depth and in lists', async () => {
    const asked = widget({ a: 1, b: { c: 2, gone: 3 }, list: [{ d: 4, gone: 5 }, 'x'] }, { gone: true });
    const kept = { spec: { a: 1, b: { c: 2, added: 6 }, list: [{ d: 4 }, 'x'] } };
    assert.deepEqual((await ask(asked, kept)).known, widget({ a: 1, b: { c: 2 }, list: [{ d: 4 }, 'x'] }));
  });

  it('have the values that were asked for, and lists of another length as they were', async () => {
    assert.deepEqual(
      (await ask(widget({ a: 1, list: [1, 2], gone: 3 }), { spec: { a: 9, list: [1] } })).known,
      widget({ a: 1, list: [1, 2] }),
    );
  });

  it('are asked for without making anything, under a name that cannot be taken', async () => {
    const { request } = await ask(widget({ a: 1 }), { spec: { a: 1 } });
    assert.deepEqual([request?.method, request?.path], ['POST', '/apis/example.com/v1/namespaces/a/widgets']);
    assert.deepEqual(request?.query, { dryRun: 'All', fieldValidation: 'Ignore' });
    assert.deepEqual(JSON.parse(request?.body ?? '').metadata, { namespace: 'a', generateName: 'try-out-' });
  });

  it('are not told by an answer that is another object', async () => {
    for (const body of [{ kind: 'Status', status: 'Success' }, { kind: 'Gadget', metadata: { name: 'try-out-x' }, spec: {} }, {}]) {
      await assert.rejects(knownFields(scriptedClient(json(body)), widget({ a: 1 }), options), (error) => isApiError(error, 'Malformed'));
    }
  });

  it('are not known when the server would not take the object', async () => {
    const client = scriptedClient(status(422, 'Invalid'));
    await assert.rejects(knownFields(client, widget({}), options), (error) => isApiError(error, 'Invalid'));
  });
});
