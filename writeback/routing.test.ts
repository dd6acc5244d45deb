import assert from 'node:assert/strict';
import { UPSTREAM_CLUSTER_NAME, UPSTREAM_NAMESPACE } from '#api/keys.ts';
import { type NamespaceRouting, reduceNamespace } from '#mirror/namespace-routing.ts';
import { absent, present, unknown } from '#mirror/observation.ts';
import { resolveRouting } from '#writeback/routing.ts';
import { namespaceWith, ROUTING_LABELS } from '#writeback/testing/slices.ts';

const routed: NamespaceRouting = reduceNamespace(namespaceWith(ROUTING_LABELS));
const held = (reason: string) => ({ kind: 'held', reason });

describe("a namespace's routing", () => {
  it('is what both labels say, forwarded verbatim', () => {
    const expected = { kind: 'routed', cluster: 'cluster-project-a', namespace: 'default', clusterInFull: undefined };
    assert.deepEqual(resolveRouting(present(routed), present(routed)), expected);
    const old = reduceNamespace(namespaceWith({ ...ROUTING_LABELS, [UPSTREAM_CLUSTER_NAME]: 'cluster-_old' }));
    assert.deepEqual(resolveRouting(present(old), present(old)), { ...expected, cluster: 'cluster-_old' });
  });

  it('carries the full name along where the label holds a shortened one', () => {
    const long = reduceNamespace(namespaceWith(ROUTING_LABELS, { annotations: { [UPSTREAM_CLUSTER_NAME]: 'cluster-long' } }));
    const routing = resolveRouting(present(long), present(routed));
    assert.equal(routing.kind === 'routed' && routing.clusterInFull, 'cluster-long');
  });

  it('is held while either label is missing, empty, or names no project', () => {
    const without = (key: keyof typeof ROUTING_LABELS, value?: string) => {
      const { [key]: _gone, ...labels } = ROUTING_LABELS;
      return reduceNamespace(namespaceWith(value === undefined ? labels : { ...labels, [key]: value }));
    };
    const broken = [
      reduceNamespace({ metadata: { name: 'ns-1' } }),
      without(UPSTREAM_CLUSTER_NAME),
      without(UPSTREAM_NAMESPACE),
      without(UPSTREAM_NAMESPACE, ''),
      ...['', 'cluster-', 'cluster-_', '_'].map((value) => without(UPSTREAM_CLUSTER_NAME, value)),
    ];
    for (const cell of broken) assert.deepEqual(resolveRouting(present(cell), present(cell)), held('RoutingUnresolved'));
  });

  it('is held where the hub says otherwise, the authority of the two', () => {
    for (const key of [UPSTREAM_CLUSTER_NAME, UPSTREAM_NAMESPACE]) {
      const other = reduceNamespace(namespaceWith({ ...ROUTING_LABELS, [key]: 'cluster-other' }));
      assert.deepEqual(resolveRouting(present(routed), present(other)), held('RoutingMismatch'));
    }
    const unlabelled = reduceNamespace({ metadata: { name: 'ns-1' } });
    assert.deepEqual(resolveRouting(present(routed), present(unlabelled)), held('RoutingMismatch'));
  });

  it('is not known while either side is unread', () => {
    assert.deepEqual(resolveRouting(unknown('Timeout'), present(routed)), held('NamespaceUnread'));
    assert.deepEqual(resolveRouting(present(routed), unknown('Timeout')), held('NamespaceUnread'));
    assert.deepEqual(resolveRouting(absent('weak'), unknown('Timeout')), held('NamespaceUnread'));
  });

  it('is gone with the namespace in the cell, and stands while only that on the hub is missing', () => {
    assert.deepEqual(resolveRouting(absent('weak'), present(routed)), { kind: 'gone' });
    assert.equal(resolveRouting(present(routed), absent('weak')).kind, 'routed');
  });

  it('reads that a namespace is going', () => {
    assert.equal(routed.terminating, false);
    assert.equal(reduceNamespace(namespaceWith({}, { deletionTimestamp: '2030-01-01T00:00:00Z' })).terminating, true);
  });
});
