import assert from 'node:assert/strict';
import type { KubeObject } from '#api/objects.ts';
import { copyDigest } from '#mirror/owned-fields.ts';
import { PublishedIndex } from '#mirror/published-index.ts';
import { describeCopy, FIELD_MANAGER, heldCopy } from '#mirror/testing/copies.ts';

const LIST = { epoch: 1, wentBack: false };

/** An index after a complete list of these copies. */
function listed(...copies: KubeObject[]): PublishedIndex {
  const index = new PublishedIndex({ fieldManager: FIELD_MANAGER, describe: describeCopy });
  index.handler.listStarted(LIST);
  for (const copy of copies) index.handler.present(copy);
  index.handler.listCompleted();
  return index;
}

const first = heldCopy();
const at = (resourceVersion: string, more: Parameters<typeof heldCopy>[0] = {}) =>
  heldCopy({ ...more, metadata: { resourceVersion, ...more.metadata } });

describe('the index of what the hub holds', () => {
  it('is complete once a full list has ended, and tells whoever waits for that', async () => {
    const index = new PublishedIndex({ fieldManager: FIELD_MANAGER, describe: describeCopy });
    const waiting = index.untilComplete();
    index.handler.listStarted(LIST);
    assert.equal(index.complete, false);
    index.handler.listCompleted();
    await waiting;
    assert.equal(index.complete, true);
  });

  it('keeps of a copy its identity and digest, and no content', () => {
    assert.deepEqual(Object.keys(listed(first).get('ns/copy-a') ?? {}).toSorted(), [
      ...['asked', 'digest', 'fixed', 'list', 'origin', 'resourceVersion', 'source'],
      ...['sourceCluster', 'sourceRecorded', 'terminating', 'uid'],
    ]);
  });

  it('holds no object that does not say whose copy it is, and loses one that stops saying it', () => {
    const index = listed(heldCopy({ metadata: { labels: {} } }));
    assert.equal(index.get('ns/copy-a'), undefined);
    index.handler.present(first);
    index.handler.present(at('2', { metadata: { labels: {} } }));
    assert.equal(index.get('ns/copy-a'), undefined);
    assert.equal(index.count('here'), 0);
  });

  it('loses what a finished list does not show', () => {
    const index = listed(first, heldCopy({ source: 'b' }));
    index.handler.listStarted(LIST);
    index.handler.present(first);
    assert.equal(index.count('here'), 2);
    index.handler.listCompleted();
    assert.deepEqual([index.count('here'), index.get('ns/copy-b')], [1, undefined]);
  });

  it('is not robbed of a copy by the deletion of an earlier object of that name', () => {
    const index = listed(at('5', { metadata: { uid: 'u2' } }));
    index.handler.deleted(at('4', { metadata: { uid: 'u1' } }));
    index.forget('ns/copy-a', 'u1');
    assert.equal(index.get('ns/copy-a')?.uid, 'u2');
    index.handler.deleted(at('6', { metadata: { uid: 'u2' } }));
    assert.equal(index.get('ns/copy-a'), undefined);
  });

  it('counts and finds copies by where they came from, or by the cluster they came from', () => {
    const moved = heldCopy({ source: 'b', origin: 'there' });
    const foreign = heldCopy({ source: 'c', origin: 'there', metadata: { annotations: { cluster: 'other-uid' } } });
    const index = listed(first, moved, foreign);
    assert.deepEqual([index.count('here'), index.count('there'), index.count('nowhere')], [1, 2, 0]);
    const found = [...index.from({ origin: 'here', sourceCluster: 'cell-uid' })].map(([key]) => key);
    assert.deepEqual(found, ['ns/copy-a', 'ns/copy-b']);
  });

  it('tells whoever listens to an origin which source is concerned, and no longer after that was ended', () => {
    const index = listed();
    const told: string[] = [];
    const end = index.subscribe('here', (source) => void told.push(source));
    index.handler.present(first);
    index.handler.present(heldCopy({ source: 'b', origin: 'there' }));
    index.handler.deleted(first);
    end();
    index.handler.present(first);
    assert.deepEqual(told, ['ns/a', 'ns/a']);
  });

  it('tells the source that lost its copy to another one', () => {
    const index = listed(first);
    const told: string[] = [];
    index.subscribe('here', (source) => void told.push(source));
    index.handler.present(at('2', { metadata: { annotations: { source: 'ns/other' } } }));
    assert.deepEqual(told, ['ns/other', 'ns/a']);
  });
});

describe('whether a copy is as it was asked for', () => {
  const asked = { ...first, metadata: { ...first.metadata, managedFields: [] } };
  const digest = copyDigest(asked);

  it('is so when the hub holds exactly it, and not for another one or none', () => {
    assert.equal(listed(first).settled('ns/copy-a', digest), true);
    assert.equal(listed(heldCopy({ body: { more: 1 } })).settled('ns/copy-a', digest), false);
    assert.equal(listed().settled('ns/copy-a', digest), false);
    assert.equal(listed(first).settled(undefined, digest), false);
  });

  it('is not so while the copy is going', () => {
    const going = heldCopy({ metadata: { deletionTimestamp: '2030-01-01T00:00:00Z' } });
    assert.equal(listed(going).settled('ns/copy-a', digest), false);
  });

  it('is so when the hub answered the very question with defaults of its own, and stays so while it holds them', async () => {
    const index = listed();
    const answered = at('2', { body: { defaulted: true } });
    await index.write(asked, async () => answered);
    assert.equal(index.settled('ns/copy-a', digest), true);
    index.handler.present(answered);
    index.handler.present(at('3', { body: { defaulted: true } }));
    assert.equal(index.settled('ns/copy-a', digest), true);
    index.handler.present(at('4', { body: { defaulted: 'by hand' } }));
    assert.equal(index.settled('ns/copy-a', digest), false);
  });

  it('is known from the answer to the write, before any event', async () => {
    const index = listed();
    await index.write(asked, async () => at('2'));
    assert.equal(index.settled('ns/copy-a', digest), true);
    index.handler.present(at('1', { body: { old: true } }));
    assert.equal(index.settled('ns/copy-a', digest), true);
  });

  it('is not changed by a write that failed', async () => {
    const index = listed(first);
    await assert.rejects(
      index.write(asked, () => Promise.reject(new Error('no'))),
      /no/,
    );
    assert.equal(index.get('ns/copy-a')?.resourceVersion, '1');
    index.handler.present(at('2'));
    assert.equal(index.get('ns/copy-a')?.resourceVersion, '2');
  });
});
