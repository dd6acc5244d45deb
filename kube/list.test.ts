import assert from 'node:assert/strict';
import { ENDPOINT_SLICES } from '#api/resources.ts';
import { listPages } from '#kube/list.ts';
import type { ListPage } from '#kube/list.ts';
import { collect } from '#kube/testing/collect.ts';
import { scriptedClient } from '#kube/testing/scripted-client.ts';
import { json, status } from '#kube/testing/scripted-transport.ts';

const signal = new AbortController().signal;

const page = (names: string[], more: { continue?: string } = {}) =>
  json({
    kind: 'EndpointSliceList',
    apiVersion: 'discovery.k8s.io/v1',
    metadata: { resourceVersion: '7', ...more },
    items: names.map((name) => ({ metadata: { name, namespace: 'ns' }, newer: { field: [1, null] } })),
  });

const pagesOf = async (client: ReturnType<typeof scriptedClient>): Promise<ListPage<object>[]> =>
  collect(listPages(client, { resource: ENDPOINT_SLICES, labelSelector: 'a=b', signal }));

describe('a list in pages', () => {
  it('goes on to the last page, past an empty one', async () => {
    const client = scriptedClient(page(['a'], { continue: 'x' }), page([], { continue: 'y' }), page(['b'], { continue: '' }));
    const pages = await pagesOf(client);
    assert.deepEqual(
      pages.map(({ items, last }) => [items.length, last]),
      [
        [1, false],
        [0, false],
        [1, true],
      ],
    );
    assert.deepEqual(
      client.transport.requests.map(({ query }) => query),
      [
        { limit: '500', labelSelector: 'a=b' },
        { limit: '500', labelSelector: 'a=b', continue: 'x' },
        { limit: '500', labelSelector: 'a=b', continue: 'y' },
      ],
    );
  });

  it('fills in what lists leave out, and carries what it does not know', async () => {
    const [only] = await pagesOf(scriptedClient(page(['a'])));
    assert.deepEqual(only?.items, [
      { apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', metadata: { name: 'a', namespace: 'ns' }, newer: { field: [1, null] } },
    ]);
  });

  it('is no list without items or a version, or with something among them that is no object', async () => {
    const metadata = { resourceVersion: '7' };
    const bodies = [
      { kind: 'EndpointSliceList', metadata },
      { kind: 'EndpointSliceList', metadata, items: null },
      { kind: 'EndpointSliceList', metadata: {}, items: [] },
      { kind: 'EndpointSliceList', metadata: { resourceVersion: '7', continue: 5 }, items: [] },
      { kind: 'NamespaceList', metadata, items: [] },
      { kind: 'EndpointSliceList', metadata, items: [null] },
      { kind: 'EndpointSliceList', metadata, items: [{ metadata: {} }] },
      { kind: 'Status', status: 'Success' },
    ];
    for (const body of bodies) await assert.rejects(pagesOf(scriptedClient(json(body))), { code: 'Malformed' }, JSON.stringify(body));
  });

  it('breaks when the server has forgotten its beginning', async () => {
    const client = scriptedClient(page(['a'], { continue: 'x' }), status(410, 'Expired'));
    await assert.rejects(pagesOf(client), { code: 'Expired', message: 'Cannot list endpointslices on cell-1: version too old' });
  });
});
