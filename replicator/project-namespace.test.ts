import assert from 'node:assert/strict';
import { UPSTREAM_CLUSTER_NAME, UPSTREAM_NAMESPACE } from '#api/keys.ts';
import { hubNamespaceName, reduceProjectNamespace } from '#replicator/project-namespace.ts';

describe("a project's namespace", () => {
  it('is a source, whatever labels it has but the one of a copy', () => {
    const metadata = { name: 'default', uid: 'n1', labels: { [UPSTREAM_CLUSTER_NAME]: 'cluster-x', app: 'y' } };
    assert.deepEqual(reduceProjectNamespace({ metadata }), { name: 'default', uid: 'n1', isCopy: false });
    assert.equal(reduceProjectNamespace({ metadata: { name: 'default' } }).isCopy, false);
  });

  it('is a copy by the upstream-namespace label alone, an empty one too', () => {
    for (const value of ['default', '']) {
      assert.equal(reduceProjectNamespace({ metadata: { name: 'a', uid: 'b', labels: { [UPSTREAM_NAMESPACE]: value } } }).isCopy, true);
    }
  });

  it('has another namespace on the hub when it was made again', () => {
    assert.equal(hubNamespaceName('n1'), 'ns-n1');
    assert.notEqual(hubNamespaceName('n2'), hubNamespaceName('n1'));
  });
});
