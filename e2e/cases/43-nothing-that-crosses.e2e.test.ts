// Case 43: a source changes in nothing that crosses: its owner, its finalizers, its resourceVersion alone.
// The hub sees no write, since every write would be carried to every gateway.
import assert from 'node:assert/strict';
import { useScenario } from '#e2e/scenario.ts';

const OWNER = { apiVersion: 'v1', kind: 'Pod', name: 'pod-1', uid: 'f0000000-0000-4000-8000-000000000000' };

describe('case 43: a change in nothing that crosses', () => {
  const scenario = useScenario();

  for (const [what, metadata] of [
    ['another owner', { ownerReferences: [OWNER] }],
    ['a finalizer', { finalizers: ['example.com/x'] }],
    ['a key that never crosses', { labels: { 'endpointslice.kubernetes.io/managed-by': 'x' } }],
  ] as const) {
    it(`causes no write: ${what}`, async () => {
      const { c1, hub, namespace, service, source } = scenario();
      const pod = await source(c1, await namespace()).publish();
      const mark = hub.mark();
      await pod.patch({ metadata });
      await service.swept('c1');
      assert.deepEqual(hub.writesSince(mark), []);
      await pod.patch({ metadata: { finalizers: null } });
    });
  }
});
