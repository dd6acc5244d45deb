import assert from 'node:assert/strict';
import type { KubeObject } from '#api/objects.ts';
import { ENDPOINT_SLICES } from '#api/resources.ts';
import type { Client } from '#kube/client.ts';
import { listPages } from '#kube/list.ts';
import { isOlder } from '#kube/resource-version.ts';
import { collect } from '#kube/testing/collect.ts';
import { makeNamespace, putSlice, removeSlice, signal, sliceNamed } from '#kube/testing/contract-server.ts';
import type { ContractServer } from '#kube/testing/contract-server.ts';
import { watchEvents } from '#kube/watch.ts';
import type { WatchEvent } from '#kube/watch-event.ts';

const resource = ENDPOINT_SLICES;

/** What a server does with lists and watches. */
export function contractOfCollections(server: () => ContractServer): void {
  listing(server);
  streaming(server);
  resuming(server);
  selecting(server);
}

function listing(server: () => ContractServer): void {
  it('lists in pages that show one moment, whatever is written meanwhile', async () => {
    const { client, namespace } = await five(server());
    const pages = listPages<KubeObject>(client, { resource, namespace, limit: 2, signal });
    const first = (await pages.next()).value;
    await putSlice(client, sliceNamed(namespace, 'f'));
    await removeSlice(client, namespace, 'e');
    const all = [...(first === undefined ? [] : [first]), ...(await collect(pages))];
    assert.deepEqual(
      all.map(({ items, last }) => [items.map(({ metadata }) => metadata.name).join(''), last]),
      [
        ['ab', false],
        ['cd', false],
        ['e', true],
      ],
    );
    assert.equal(new Set(all.map(({ resourceVersion }) => resourceVersion)).size, 1);
  });

  it('forgets the beginning of a list that takes too long', async () => {
    const { client, namespace } = await five(server());
    const pages = listPages(client, { resource, namespace, limit: 2, signal });
    await pages.next();
    await putSlice(client, sliceNamed(namespace, 'f'));
    await server().forgetHistory();
    await assert.rejects(pages.next(), { code: 'Expired' });
  });
}

function streaming(server: () => ContractServer): void {
  it('streams a list, says where it ends, and goes on with what happens next', async () => {
    const { client, namespace } = await five(server());
    const events = watchEvents<KubeObject>(client, { resource, namespace, initialEvents: true, signal });
    assert.deepEqual((await take(events, 5)).map(wordOf).toSorted(), ['+a', '+b', '+c', '+d', '+e']);
    assert.deepEqual((await take(events, 1)).map(wordOf), ['end']);
    await putSlice(client, sliceNamed(namespace, 'a', { some: 'label' }));
    await removeSlice(client, namespace, 'b');
    assert.deepEqual((await take(events, 2)).map(wordOf), ['~a', '-b']);
    await events.return();
  });

  it('ends no list, in pages or streamed, at an older version than it showed just before, whatever else is written', async () => {
    const { client, namespace } = await five(server());
    const selecting = { resource, namespace, labelSelector: 'pick=me', signal };
    for (let round = 0; round < 10; round += 1) {
      await makeNamespace(client);
      const shown = (await listPages(client, { resource, limit: 1, signal }).next()).value?.resourceVersion ?? assert.fail();
      const events = watchEvents<KubeObject>(client, { ...selecting, initialEvents: true });
      const [end] = await take(events, 1);
      assert.ok(end?.type === 'BOOKMARK' && !isOlder(end.resourceVersion, shown));
      await events.return();
      for await (const page of listPages(client, selecting)) assert.equal(isOlder(page.resourceVersion, end.resourceVersion), false);
    }
  });
}

function resuming(server: () => ContractServer): void {
  it('resumes a watch after the version it is given, and misses nothing', async () => {
    const { client, namespace } = await five(server());
    const { metadata } = await putSlice(client, sliceNamed(namespace, 'f'));
    await removeSlice(client, namespace, 'a');
    await putSlice(client, sliceNamed(namespace, 'g'));
    const events = watchEvents<KubeObject>(client, { resource, namespace, resourceVersion: metadata.resourceVersion, signal });
    assert.deepEqual((await take(events, 2)).map(wordOf), ['-a', '+g']);
    await events.return();
  });

  it('resumes a watch at the bookmark that ended a streamed list', async () => {
    const { client, namespace } = await five(server());
    const list = watchEvents<KubeObject>(client, { resource, namespace, initialEvents: true, signal });
    const end = (await take(list, 6)).at(-1);
    assert.equal(end?.type, 'BOOKMARK');
    await list.return();
    await putSlice(client, sliceNamed(namespace, 'f'));
    const events = watchEvents<KubeObject>(client, { resource, namespace, resourceVersion: end.resourceVersion, signal });
    assert.deepEqual((await take(events, 1)).map(wordOf), ['+f']);
    await events.return();
  });

  it('refuses to resume a watch at a version that it has forgotten', async () => {
    const { client, namespace } = await five(server());
    const { metadata } = await putSlice(client, sliceNamed(namespace, 'f'));
    await putSlice(client, sliceNamed(namespace, 'g'));
    await server().forgetHistory();
    const events = watchEvents(client, { resource, namespace, resourceVersion: metadata.resourceVersion, signal });
    await assert.rejects(events.next(), { code: 'Expired' });
  });
}

function selecting(server: () => ContractServer): void {
  it('calls an object deleted that no longer matches the selector', async () => {
    const { client, namespace } = await five(server());
    await putSlice(client, sliceNamed(namespace, 'f', { pick: 'me' }));
    const events = watchEvents<KubeObject>(client, { resource, namespace, labelSelector: 'pick=me', initialEvents: true, signal });
    assert.deepEqual((await take(events, 2)).map(wordOf), ['+f', 'end']);
    await putSlice(client, sliceNamed(namespace, 'f'));
    assert.deepEqual((await take(events, 1)).map(wordOf), ['-f']);
    await events.return();
  });

  it('forbids lists and watches to a user without the right', async () => {
    const { stranger } = server();
    await assert.rejects(listPages(stranger, { resource, signal }).next(), { code: 'Forbidden' });
    await assert.rejects(watchEvents(stranger, { resource, initialEvents: true, signal }).next(), { code: 'Forbidden' });
  });
}

async function take<T>(events: AsyncGenerator<WatchEvent<T>>, count: number): Promise<WatchEvent<T>[]> {
  const taken: WatchEvent<T>[] = [];
  while (taken.length < count) {
    const { value, done } = await events.next();
    if (done) break;
    // Bookmarks come whenever the server likes; the one that ends a list is part of it.
    if (value.type !== 'BOOKMARK' || value.initialEventsEnd) taken.push(value);
  }
  return taken;
}

function wordOf(event: WatchEvent<KubeObject>): string {
  if (event.type === 'BOOKMARK') return 'end';
  return `${{ ADDED: '+', MODIFIED: '~', DELETED: '-' }[event.type]}${event.object.metadata.name}`;
}

/** A namespace with five slices. */
async function five({ client }: ContractServer): Promise<{ client: Client; namespace: string }> {
  const namespace = await makeNamespace(client);
  for (const name of ['a', 'b', 'c', 'd', 'e']) await putSlice(client, sliceNamed(namespace, name));
  return { client, namespace };
}
