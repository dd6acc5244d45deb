import assert from 'node:assert/strict';
import type { KubeObject, ManagedFields, ObjectMeta } from '#api/objects.ts';
import { copyDigest, ownedDigest, ownedLabels } from '#mirror/owned-fields.ts';

const COPY: KubeObject = {
  apiVersion: 'v1',
  kind: 'Thing',
  metadata: { name: 'a', namespace: 'ns', labels: { app: 'x' }, annotations: { note: 'y' } },
  spec: { ports: null },
};
const OURS = owns('us', ['app'], ['note']);

/** An entry of managed fields: who owns which labels and annotations. */
function owns(manager: string, labels: string[], annotations: string[]): ManagedFields {
  const set = (keys: string[]) => Object.fromEntries(keys.map((key) => [`f:${key}`, {}]));
  const fieldsV1 = { 'f:metadata': { 'f:labels': set(labels), 'f:annotations': set(annotations) } };
  return { manager, operation: 'Apply', fieldsV1 };
}

/** The copy as a server would hold it. */
function held(metadata: Partial<ObjectMeta> = {}, body: Record<string, unknown> = {}): KubeObject {
  const server = { uid: 'u', resourceVersion: '5', generation: 2, creationTimestamp: 'now', managedFields: [OURS] };
  return { ...COPY, ...body, metadata: { ...COPY.metadata, ...server, ...metadata } };
}

const digestOf = (object: KubeObject) => ownedDigest(object, 'us');

describe('what is ours of a copy on the hub', () => {
  it('equals what was asked for, whatever the server adds to the metadata', () => {
    assert.equal(digestOf(held()), copyDigest(COPY));
    assert.equal(digestOf(held({ finalizers: ['a/b'], ownerReferences: [{}], generation: 9 })), copyDigest(COPY));
    assert.equal(digestOf(held({}, { status: { ready: true } })), copyDigest(COPY));
  });

  it("does not count others' labels and annotations", () => {
    const theirs = { ...owns('karmada', ['karmada.io/managed'], ['karmada.io/policy']), operation: 'Update' as const };
    const marked = held({
      labels: { app: 'x', 'karmada.io/managed': 'true' },
      annotations: { note: 'y', 'karmada.io/policy': 'p' },
      managedFields: [theirs, OURS],
    });
    assert.equal(digestOf(marked), copyDigest(COPY));
  });

  it('counts a label of ours that somebody changed, and one that somebody took away', () => {
    assert.notEqual(digestOf(held({ labels: { app: 'other' } })), copyDigest(COPY));
    assert.notEqual(digestOf(held({ labels: {} })), copyDigest(COPY));
    assert.notEqual(digestOf(held({ annotations: {} })), copyDigest(COPY));
  });

  it('does not count a key that another manager took over, so that it is applied again', () => {
    const taken = held({ managedFields: [owns('us', [], ['note']), owns('kubectl', ['app'], [])] });
    assert.notEqual(digestOf(taken), copyDigest(COPY));
  });

  it('counts a key that we own together with another manager', () => {
    assert.equal(digestOf(held({ managedFields: [owns('kubectl', ['app'], ['note']), OURS] })), copyDigest(COPY));
  });

  it('counts a key that our source no longer calls for', () => {
    const old = held({ labels: { app: 'x', old: 'z' }, managedFields: [owns('us', ['app', 'old'], ['note'])] });
    assert.notEqual(digestOf(old), copyDigest(COPY));
  });

  it('is not what we own through a subresource', () => {
    const foreign = held({ labels: { app: 'x' }, managedFields: [{ ...owns('us', ['app'], ['note']), subresource: 'status' }] });
    assert.equal(digestOf(foreign), copyDigest({ ...COPY, metadata: { name: 'a' } }));
  });

  it('counts the body whole, whoever wrote it', () => {
    assert.notEqual(digestOf(held({}, { spec: { ports: [] } })), copyDigest(COPY));
    assert.notEqual(digestOf(held({}, { more: 1 })), copyDigest(COPY));
  });

  it('is no label or annotation of an object without managed fields', () => {
    const { managedFields: _none, ...metadata } = held().metadata;
    assert.equal(digestOf({ ...held(), metadata }), copyDigest({ ...COPY, metadata: { name: 'a' } }));
  });

  it('joins what several entries of ours say', () => {
    assert.equal(digestOf(held({ managedFields: [owns('us', ['app'], []), owns('us', [], ['note'])] })), copyDigest(COPY));
  });
});

describe('the labels that are ours', () => {
  it('are those that our field manager owns on a server, and all of them on what was never on one', () => {
    const labels = { app: 'x', foreign: 'y' };
    assert.deepEqual(ownedLabels(held({ labels }), 'us'), { app: 'x' });
    assert.deepEqual(ownedLabels({ metadata: { name: 'a', labels } }, 'us'), labels);
    assert.deepEqual(ownedLabels({ metadata: { name: 'a' } }, 'us'), {});
  });
});
