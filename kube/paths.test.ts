import assert from 'node:assert/strict';
import { ENDPOINT_SLICES, NAMESPACES } from '#api/resources.ts';
import { resourcePath } from '#kube/paths.ts';

describe('the path of a resource', () => {
  it('names one object', () => {
    assert.equal(resourcePath({ resource: NAMESPACES, name: 'a' }), '/api/v1/namespaces/a');
    assert.equal(
      resourcePath({ resource: ENDPOINT_SLICES, namespace: 'a', name: 'b.c' }),
      '/apis/discovery.k8s.io/v1/namespaces/a/endpointslices/b.c',
    );
  });

  it('names a collection, in one namespace or over all', () => {
    assert.equal(resourcePath({ resource: ENDPOINT_SLICES, namespace: 'a' }), '/apis/discovery.k8s.io/v1/namespaces/a/endpointslices');
    assert.equal(resourcePath({ resource: ENDPOINT_SLICES }), '/apis/discovery.k8s.io/v1/endpointslices');
  });

  it('lets no name lead out of its place', () => {
    const path = resourcePath({ resource: NAMESPACES, name: '../../secrets?x=1#y' });
    assert.equal(path, '/api/v1/namespaces/..%2F..%2Fsecrets%3Fx%3D1%23y');
    for (const name of ['', '.', '..']) assert.throws(() => resourcePath({ resource: NAMESPACES, name }), TypeError);
    assert.throws(() => resourcePath({ resource: ENDPOINT_SLICES, namespace: '', name: 'a' }), TypeError);
  });

  it('does not exist for a namespaced object without a namespace', () => {
    assert.throws(() => resourcePath({ resource: ENDPOINT_SLICES, name: 'a' }), TypeError);
  });
});
