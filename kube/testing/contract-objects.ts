import assert from 'node:assert/strict';
import { ENDPOINT_SLICES, EVENTS, NAMESPACES } from '#api/resources.ts';
import { applyObject } from '#kube/apply.ts';
import { createEvent } from '#kube/create-event.ts';
import { createObject } from '#kube/create.ts';
import { deleteObject } from '#kube/delete.ts';
import { eventObject } from '#kube/event.ts';
import { getObject } from '#kube/get.ts';
import { findResource } from '#kube/find-resource.ts';
import { WIDGETS, installWidgets, makeNamespace, putSlice, removeWidgets, signal, sliceNamed } from '#kube/testing/contract-server.ts';
import type { ContractServer } from '#kube/testing/contract-server.ts';
import { until } from '#kube/testing/until.ts';

const options = { resource: ENDPOINT_SLICES, fieldManager: 'contract', force: true, signal };

/** What a server does with single objects. */
export function contractOfObjects(server: () => ContractServer): void {
  reading(server);
  applying(server);
  sharing(server);
  deleting(server);
  serving(server);
}

function reading(server: () => ContractServer): void {
  it('knows an absent object from a kind that it does not serve', async () => {
    const { client } = server();
    const absent = getObject(client, { resource: ENDPOINT_SLICES, namespace: 'default', name: 'absent' }, { signal });
    await assert.rejects(absent, { code: 'NotFound', reason: 'NotFound' });
    await assert.rejects(getObject(client, { resource: NAMESPACES, name: 'absent' }, { signal }), { code: 'NotFound' });
    await assert.rejects(getObject(client, { resource: WIDGETS, namespace: 'default', name: 'absent' }, { signal }), { code: 'NotServed' });
  });

  it('forbids what a user has no right to', async () => {
    const { stranger } = server();
    await assert.rejects(getObject(stranger, { resource: NAMESPACES, name: 'default' }, { signal }), { code: 'Forbidden', status: 403 });
    await assert.rejects(putSlice(stranger, sliceNamed('default', 'a')), { code: 'Forbidden' });
  });
}

function applying(server: () => ContractServer): void {
  it('creates by applying, then changes, then finds nothing to change', async () => {
    const { client } = server();
    const slice = sliceNamed(await makeNamespace(client), 'a');
    const made = await applyObject(client, slice, options);
    const changed = await applyObject(client, { ...slice, ports: [{ port: 1 }] }, options);
    const same = await applyObject(client, { ...slice, ports: [{ port: 1 }] }, options);
    assert.deepEqual([made.created, changed.created, same.created], [true, false, false]);
    assert.notEqual(changed.object.metadata.resourceVersion, made.object.metadata.resourceVersion);
    assert.equal(same.object.metadata.resourceVersion, changed.object.metadata.resourceVersion);
  });

  it('creates what is not there, once', async () => {
    const { client } = server();
    const slice = sliceNamed(await makeNamespace(client), 'a');
    const made = await createObject(client, slice, options);
    assert.equal(made.metadata.managedFields?.[0]?.operation, 'Update');
    await assert.rejects(createObject(client, slice, options), { code: 'AlreadyExists' });
    const lost = { ...slice, metadata: { ...slice.metadata, namespace: 'absent' } };
    await assert.rejects(createObject(client, lost, options), { status: 404 });
  });

  it('keeps an Event about an object without a namespace in "default", once', async () => {
    const { client } = server();
    const name = `a.${crypto.randomUUID()}`;
    const words = { type: 'Warning', reason: 'Reason', action: 'Act', note: 'Something happened', controller: 'fedhub/contract' } as const;
    const event = eventObject({ name, ...words, regarding: { resource: NAMESPACES, name: 'default' } }, client.clock.wallMs());
    await createEvent(client, event, options);
    await createEvent(client, event, options);
    const kept = await getObject(client, { resource: EVENTS, namespace: 'default', name }, { signal });
    assert.deepEqual([kept['type'], kept['reason'], kept['note']], ['Warning', 'Reason', 'Something happened']);
  });

  it('keeps ports that are null null', async () => {
    const { client } = server();
    const namespace = await makeNamespace(client);
    await putSlice(client, { ...sliceNamed(namespace, 'a'), ports: null });
    const slice = await getObject(client, { resource: ENDPOINT_SLICES, namespace, name: 'a' }, { signal });
    assert.equal(slice['ports'], null);
  });
}

function sharing(server: () => ContractServer): void {
  it('drops a field that its manager no longer applies, and keeps those of others', async () => {
    const { client } = server();
    const slice = sliceNamed(await makeNamespace(client), 'a');
    const labelled = (labels: Record<string, string>) => ({ ...slice, metadata: { ...slice.metadata, labels } });
    await applyObject(client, labelled({ ours: '1', gone: '1' }), options);
    await applyObject(client, labelled({ theirs: '1' }), { ...options, fieldManager: 'somebody' });
    const { object } = await applyObject(client, labelled({ ours: '1' }), options);
    assert.deepEqual(object.metadata.labels, { ours: '1', theirs: '1' });
  });

  it('refuses a field of another manager unless forced', async () => {
    const { client } = server();
    const slice = sliceNamed(await makeNamespace(client), 'a', { key: 'ours' });
    const other = { ...slice, metadata: { ...slice.metadata, labels: { key: 'theirs' } } };
    await applyObject(client, slice, options);
    const applied = applyObject(client, other, { ...options, fieldManager: 'somebody', force: false });
    await assert.rejects(applied, { code: 'Conflict', message: /: field manager conflict$/ });
    const { object } = await applyObject(client, other, { ...options, fieldManager: 'somebody' });
    assert.deepEqual(object.metadata.labels, { key: 'theirs' });
  });
}

function deleting(server: () => ContractServer): void {
  it('deletes only the object that was meant, as it was looked at', async () => {
    const { client } = server();
    const namespace = await makeNamespace(client);
    const ref = { resource: ENDPOINT_SLICES, namespace, name: 'a' };
    const { metadata } = await putSlice(client, sliceNamed(namespace, 'a'));
    const { uid = '', resourceVersion = '' } = metadata;
    await assert.rejects(deleteObject(client, ref, { uid: crypto.randomUUID(), resourceVersion, signal }), { code: 'Conflict' });
    await assert.rejects(deleteObject(client, ref, { uid, resourceVersion: '1', signal }), { code: 'Conflict' });
    assert.equal(await deleteObject(client, ref, { uid, resourceVersion, signal }), 'deleted');
    await assert.rejects(deleteObject(client, ref, { uid, resourceVersion, signal }), { code: 'NotFound' });
  });

  it('keeps a deleted object that has a finalizer', async () => {
    const { client } = server();
    const namespace = await makeNamespace(client);
    const slice = sliceNamed(namespace, 'a');
    const { metadata } = await putSlice(client, { ...slice, metadata: { ...slice.metadata, finalizers: ['example.com/keep'] } });
    const { uid = '', resourceVersion = '' } = metadata;
    const ref = { resource: ENDPOINT_SLICES, namespace, name: 'a' };
    assert.equal(await deleteObject(client, ref, { uid, resourceVersion, signal }), 'terminating');
    assert.notEqual((await getObject(client, ref, { signal })).metadata.deletionTimestamp, undefined);
    await putSlice(client, slice);
    await assert.rejects(getObject(client, ref, { signal }), { code: 'NotFound' });
  });
}

function serving(server: () => ContractServer): void {
  it('serves a kind once it is installed, carries fields that nobody has declared, and stops serving it', async () => {
    const { client } = server();
    const namespace = await makeNamespace(client);
    const served = async (expected: boolean) => {
      let last = !expected;
      const look = async () => void (last = (await findResource(client, WIDGETS, { signal })) !== undefined);
      await until(`widgets ${expected ? 'served' : 'gone'}`, () => (void look(), last === expected));
    };
    assert.equal(await findResource(client, WIDGETS, { signal }), undefined);
    await installWidgets(client);
    await served(true);
    const widget = {
      apiVersion: 'test.example.com/v1alpha',
      kind: 'Widget',
      metadata: { name: 'a', namespace },
      newer: { empty: {}, none: null, list: [1, 'b'] },
    };
    await applyObject(client, widget, { ...options, resource: WIDGETS });
    const { newer } = await getObject(client, { resource: WIDGETS, namespace, name: 'a' }, { signal });
    assert.deepEqual(newer, { empty: {}, list: [1, 'b'], none: null });
    await removeWidgets(client);
    await served(false);
  });
}
