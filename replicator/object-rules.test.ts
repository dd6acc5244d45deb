import assert from 'node:assert/strict';
import type { KubeObject } from '#api/objects.ts';
import { scriptedClient } from '#kube/testing/scripted-client.ts';
import { json } from '#kube/testing/scripted-transport.ts';
import { ClusterIdentity } from '#mirror/cluster-identity.ts';
import { type NamespaceRouting, reduceNamespace } from '#mirror/namespace-routing.ts';
import { absent, present } from '#mirror/observation.ts';
import { ReducedStore } from '#mirror/reduced-store.ts';
import { HubNamespaces } from '#replicator/hub-namespaces.ts';
import { objectRules } from '#replicator/object-rules.ts';
import { type ProjectNamespace, reduceProjectNamespace } from '#replicator/project-namespace.ts';
import { CONTEXT_KIND, HUB_NAMESPACE, sourceObject } from '#replicator/testing/objects.ts';

const RESOURCE = { ...CONTEXT_KIND, plural: 'networkcontexts', namespaced: true };

async function scene(selector?: string) {
  const project = scriptedClient(json({ kind: 'Namespace', metadata: { name: 'kube-system', uid: 'project-uid' } }));
  const identity = new ClusterIdentity(project);
  const clusterUid = await identity.bind(new AbortController().signal);
  const hubNamespaces = new ReducedStore<NamespaceRouting>({ reduce: reduceNamespace, changed: () => undefined });
  const projectNamespaces = new ReducedStore<ProjectNamespace>({ reduce: reduceProjectNamespace, changed: () => undefined });
  const hub = scriptedClient();
  const namespaces = new HubNamespaces({ hub, identity, project: 'org/p', projectNamespaces, hubNamespaces, retryIntervalMs: 1000 });
  const kind = { ...CONTEXT_KIND, ...(selector !== undefined && { selector }) };
  const around = { project: 'org/p', clusterUid, identity, projectNamespaces, hubNamespaces, namespaces };
  return { projectNamespaces, hubNamespaces, rules: objectRules({ kind, resource: RESOURCE, ...around }) };
}

function list<T>({ handler }: ReducedStore<T>, ...objects: KubeObject[]) {
  handler.listStarted({ epoch: 1, wentBack: false });
  for (const object of objects) handler.present(object);
  handler.listCompleted();
}

describe('the rules of a replicated kind', () => {
  it('place a copy by the uid of its namespace, and nowhere while that is not known', async () => {
    const { projectNamespaces, rules } = await scene();
    assert.equal(rules.copyKey('default/net-ams'), undefined);
    list(projectNamespaces, { metadata: { name: 'default', uid: 'n1' } });
    assert.equal(rules.copyKey('default/net-ams'), 'ns-n1/net-ams');
    projectNamespaces.handler.present({ metadata: { name: 'default', uid: 'n2' } });
    assert.equal(rules.copyKey('default/net-ams'), 'ns-n2/net-ams');
    projectNamespaces.handler.deleted({ metadata: { name: 'default', uid: 'n2' } });
    assert.equal(rules.copyKey('default/net-ams'), undefined);
  });

  it('publish and withdraw only once the namespaces are known', async () => {
    const { projectNamespaces, hubNamespaces, rules } = await scene();
    const decide = (object = present(sourceObject())) => rules.decide('default/net-ams', object, 'free').kind;
    assert.equal(decide(), 'keep');
    assert.equal(decide(absent('strong')), 'keep');
    list(projectNamespaces, { metadata: { name: 'default', uid: 'n1' } });
    assert.equal(decide(), 'wait');
    list(hubNamespaces, HUB_NAMESPACE);
    assert.equal(decide(), 'copy');
    assert.equal(decide(absent('strong')), 'withdraw');
  });

  it('judge an object that was read live by the selector that the watch has', async () => {
    const { projectNamespaces, hubNamespaces, rules } = await scene('tier in (a, b)');
    list(projectNamespaces, { metadata: { name: 'default', uid: 'n1' } });
    list(hubNamespaces, HUB_NAMESPACE);
    assert.equal(rules.selector, 'tier in (a, b)');
    const decide = (tier: string) => rules.decide('default/net-ams', present(sourceObject({ labels: { tier } })), 'free');
    assert.equal(decide('a').kind, 'copy');
    assert.deepEqual(decide('c'), { kind: 'withdraw', reason: 'NotSelected', evidence: 'strong' });
  });

  it('mark the copies with the project as its label has it', async () => {
    const { rules } = await scene();
    assert.equal(rules.origin, 'cluster-org_p');
    assert.equal(rules.sourceCluster, 'project-uid');
    assert.equal(rules.controller, 'replicator.networkcontext');
  });
});
