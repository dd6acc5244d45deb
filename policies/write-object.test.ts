import assert from 'node:assert/strict';
import { SERVING_LOCATIONS } from '#api/resources.ts';
import { json } from '#kube/testing/scripted-transport.ts';
import { desiredServingLocation } from '#policies/serving-location.ts';
import { scriptedContext } from '#policies/testing/context.ts';
import { heldWith, NOW, servedFor, sourceWith } from '#policies/testing/views.ts';
import { writeObject } from '#policies/write-object.ts';

const writing = { resource: SERVING_LOCATIONS, signal: new AbortController().signal, priority: 'live' } as const;
const object = desiredServingLocation('dfw', sourceWith(), { heldSpec: undefined, now: NOW });
const answerWith = (spec: unknown) => json({ ...object, metadata: { ...object.metadata, uid: 'held-uid', resourceVersion: '8' }, spec });
const more = { topology: { ...sourceWith().topology, more: 'theirs' }, source: { generation: 3, publishedAt: NOW } };

describe('writing an object on the hub', () => {
  it('makes a new one without force: a foreign one that appeared meanwhile is refused, not merged', async () => {
    const { context, hub } = scriptedContext({ hub: [answerWith(object['spec'])] });
    assert.equal(await writeObject(context, { object, over: undefined }, writing), 'created');
    const [request] = hub.transport.requests;
    assert.deepEqual(request?.query, { fieldManager: 'fedhub-policies', force: 'false' });
    assert.deepEqual(JSON.parse(request?.body ?? ''), object);
  });

  it('writes over one only as the very object that was seen, and takes off what others added', async () => {
    const { context, hub } = scriptedContext({ hub: [answerWith(more), answerWith(object['spec'])] });
    assert.equal(await writeObject(context, { object, over: servedFor() }, writing), 'updated');
    const [apply, prune, ...none] = hub.transport.requests.map(({ body }) => JSON.parse(body ?? '') as { metadata: object; spec: object });
    assert.deepEqual(apply?.metadata, { ...object.metadata, uid: 'held-uid' });
    assert.deepEqual(prune, { spec: { topology: { more: null } }, metadata: { uid: 'held-uid', resourceVersion: '8' } });
    assert.deepEqual(none, []);
  });

  it('asks once, and not for ever, where the hub makes something else of it', async () => {
    const { context, hub } = scriptedContext({ hub: [answerWith(more), answerWith(more)] });
    const held = heldWith({ spec: more });
    assert.equal(await writeObject(context, { object, over: held }, writing), 'updated');
    const later = desiredServingLocation('dfw', sourceWith(), { heldSpec: more, now: '2031-01-01T00:00:00.000Z' });
    assert.equal(await writeObject(context, { object: later, over: held }, writing), 'none');
    assert.equal(hub.transport.requests.length, 2);
  });

  it('takes the annotation of a blocked removal off even so', async () => {
    const { context } = scriptedContext({ hub: [answerWith(more), answerWith(more), answerWith(more), answerWith(more)] });
    const held = heldWith({ spec: more, blocked: 'EmptySourceList: x' });
    for (let time = 0; time < 2; time += 1) assert.equal(await writeObject(context, { object, over: held }, writing), 'updated');
  });
});
