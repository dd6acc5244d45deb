import assert from 'node:assert/strict';
import type { KubeObject } from '#api/objects.ts';
import { UPSTREAM_CLUSTER_NAME, UPSTREAM_NAMESPACE } from '#api/keys.ts';
import { isApiError, WaitingError } from '#kube/errors.ts';
import { scriptedClient } from '#kube/testing/scripted-client.ts';
import { json, status } from '#kube/testing/scripted-transport.ts';
import { type NamespaceRouting, reduceNamespace } from '#mirror/namespace-routing.ts';
import { ReducedStore } from '#mirror/reduced-store.ts';
import { HubNamespaces } from '#replicator/hub-namespaces.ts';
import { type ProjectNamespace, reduceProjectNamespace } from '#replicator/project-namespace.ts';
import { HUB_NAMESPACE } from '#replicator/testing/objects.ts';

const live = { signal: new AbortController().signal, priority: 'live' } as const;
const swept = { ...live, priority: 'sweep' } as const;
const relabelled = withLabels({ [UPSTREAM_CLUSTER_NAME]: 'cluster-other', [UPSTREAM_NAMESPACE]: 'default', team: 'blue' });

/** The hub namespaces of project `org/p` with one namespace `default`, over a hub that holds `held` as far as it is watched. */
function scene({
  held = [],
  isCopy = false,
  verify = async () => {},
}: {
  held?: KubeObject[];
  isCopy?: boolean;
  verify?: () => Promise<void>;
} = {}) {
  const hub = scriptedClient();
  const hubNamespaces = new ReducedStore<NamespaceRouting>({ reduce: reduceNamespace, changed: () => undefined });
  const projectNamespaces = new ReducedStore<ProjectNamespace>({ reduce: reduceProjectNamespace, changed: () => undefined });
  const labels = isCopy ? { [UPSTREAM_NAMESPACE]: 'x' } : {};
  list(projectNamespaces, [{ metadata: { name: 'default', uid: 'n1', labels } }]);
  list(hubNamespaces, held);
  const namespaces = new HubNamespaces({
    hub,
    identity: { verify },
    project: 'org/p',
    projectNamespaces,
    hubNamespaces,
    retryIntervalMs: 30_000,
  });
  const requests = () => hub.transport.requests;
  return { hub, hubNamespaces, namespaces, requests, methods: () => requests().map(({ method }) => method) };
}

function list<T>({ handler }: ReducedStore<T>, objects: KubeObject[]) {
  handler.listStarted({ epoch: 1, wentBack: false });
  for (const object of objects) handler.present(object);
  handler.listCompleted();
}

function withLabels(labels: Record<string, string>, more: Partial<KubeObject['metadata']> = {}): KubeObject {
  return { ...HUB_NAMESPACE, metadata: { ...HUB_NAMESPACE.metadata, labels, ...more } };
}

describe('ensuring a hub namespace', () => {
  it('does not write the namespaces of another project that stands behind the name by now', async () => {
    const verify = () => Promise.reject(new WaitingError('IdentityFenced', 'another one', 1_000));
    const { namespaces, methods } = scene({ held: [relabelled], verify });
    await assert.rejects(namespaces.reconcile('default', live), { code: 'IdentityFenced' });
    await assert.rejects(namespaces.ensure('default', live), { code: 'IdentityFenced' });
    assert.deepEqual(methods(), []);
  });

  it('applies it once for a hundred copies that need it at once', async () => {
    const { hub, namespaces, methods } = scene();
    hub.transport.more(json(HUB_NAMESPACE, 201));
    await Promise.all(Array.from({ length: 100 }, () => namespaces.ensure('default', live)));
    assert.deepEqual(methods(), ['PATCH']);
  });

  it('knows of the write before the watch does', async () => {
    const { hub, namespaces, methods } = scene();
    hub.transport.more(json(HUB_NAMESPACE, 201));
    await namespaces.ensure('default', live);
    await namespaces.ensure('default', live);
    assert.deepEqual(methods(), ['PATCH']);
  });

  it('applies our two labels and nothing of anybody else’s, whatever is on it', async () => {
    const { hub, namespaces, requests } = scene({ held: [relabelled] });
    hub.transport.more(json(HUB_NAMESPACE));
    await namespaces.ensure('default', live);
    const [request] = requests();
    assert.deepEqual(JSON.parse(request?.body ?? ''), { ...HUB_NAMESPACE, metadata: { ...HUB_NAMESPACE.metadata, annotations: {} } });
    assert.deepEqual(request?.query, { fieldManager: 'fedhub-replicator', force: 'true' });
  });

  it('asks for nothing where it is right already, with others’ labels on it', async () => {
    const { namespaces, methods } = scene({ held: [withLabels({ ...HUB_NAMESPACE.metadata.labels, team: 'blue' })] });
    await namespaces.ensure('default', live);
    assert.deepEqual(methods(), []);
  });

  it('waits while it is going', async () => {
    const { namespaces, methods } = scene({ held: [withLabels({}, { deletionTimestamp: '2030-01-01T00:00:00Z' })] });
    const waits = (error: unknown) => error instanceof WaitingError && error.code === 'HubNamespaceTerminating';
    await assert.rejects(namespaces.ensure('default', live), waits);
    assert.deepEqual(methods(), []);
  });

  it('is refused to all who wait for it when the write fails, and tried again by the next', async () => {
    const { hub, namespaces, methods } = scene();
    hub.transport.more(status(403, 'Forbidden'), json(HUB_NAMESPACE, 201));
    const both = await Promise.allSettled([namespaces.ensure('default', live), namespaces.ensure('default', live)]);
    for (const one of both) assert.ok(one.status === 'rejected' && isApiError(one.reason, 'Forbidden'));
    await namespaces.ensure('default', live);
    assert.deepEqual(methods(), ['PATCH', 'PATCH']);
  });

  it('does not believe its answer where the watch has shown a change meanwhile', async () => {
    const { hub, hubNamespaces, namespaces, methods } = scene();
    hub.transport.more((request) => {
      hubNamespaces.handler.present(relabelled);
      return json(HUB_NAMESPACE, 201)(request);
    }, json(HUB_NAMESPACE));
    await namespaces.ensure('default', live);
    await namespaces.ensure('default', live);
    assert.deepEqual(methods(), ['PATCH', 'PATCH']);
  });

  it('makes none for a namespace that is a copy, or that is not there', async () => {
    const { namespaces, methods } = scene({ isCopy: true });
    await namespaces.ensure('default', live);
    await namespaces.ensure('missing', live);
    assert.deepEqual(methods(), []);
  });
});

describe('reconciling a hub namespace', () => {
  it('puts labels right that somebody changed', async () => {
    const { hub, namespaces } = scene({ held: [relabelled] });
    hub.transport.more(json(HUB_NAMESPACE));
    assert.deepEqual(await namespaces.reconcile('default', live), { action: 'updated' });
    assert.deepEqual(await namespaces.reconcile('default', live), { action: 'none' });
  });

  it('makes none: that is for the first copy', async () => {
    const { namespaces, methods } = scene();
    assert.deepEqual(await namespaces.reconcile('default', live), { action: 'none' });
    assert.deepEqual(methods(), []);
  });

  it('in a sweep asks the hub itself, and repairs what the watch has missed', async () => {
    const { hub, namespaces, methods } = scene({ held: [HUB_NAMESPACE] });
    hub.transport.more(json(relabelled), json(HUB_NAMESPACE));
    assert.deepEqual(await namespaces.reconcile('default', swept), { action: 'updated' });
    assert.deepEqual(methods(), ['GET', 'PATCH']);
  });

  it('leaves one alone that is going or gone', async () => {
    const going = withLabels({}, { deletionTimestamp: '2030-01-01T00:00:00Z' });
    const { hub, namespaces, methods } = scene({ held: [going] });
    hub.transport.more(json(going), status(404, 'NotFound', { details: { name: 'ns-n1', kind: 'namespaces' } }));
    for (const how of [live, swept, swept]) assert.deepEqual(await namespaces.reconcile('default', how), { action: 'none' });
    assert.deepEqual(methods(), ['GET', 'GET']);
  });
});
