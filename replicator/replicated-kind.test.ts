import assert from 'node:assert/strict';
import { controllerName, DEFAULT_KINDS } from '#replicator/replicated-kind.ts';

describe('the replicated kinds', () => {
  it('are by default three, with the controllers that dashboards know', () => {
    assert.deepEqual(DEFAULT_KINDS.map(controllerName), ['replicator.network', 'replicator.networkcontext', 'replicator.subnet']);
  });

  it('have a controller each, also where two groups have a kind of one name', () => {
    assert.equal(controllerName({ group: 'example.com', kind: 'Network' }), 'replicator.network.example.com');
    assert.equal(controllerName({ group: '', kind: 'ConfigMap' }), 'replicator.configmap');
  });
});
