import assert from 'node:assert/strict';
import fc from 'fast-check';
import { decodeUpstreamCluster, encodeUpstreamCluster } from '#mirror/upstream-name.ts';

const segments = fc.stringMatching(/^[a-z0-9]([-a-z0-9]{0,12}[a-z0-9])?$/);
const projects = fc.array(segments, { minLength: 1, maxLength: 3 }).map((names) => names.join('/'));

describe('the upstream cluster name', () => {
  it('decodes as other systems write it', () => {
    assert.equal(decodeUpstreamCluster('cluster-_my-project'), 'my-project');
    assert.equal(decodeUpstreamCluster('cluster-my-project'), 'my-project');
    assert.equal(decodeUpstreamCluster('cluster-org_p'), 'org/p');
    assert.equal(decodeUpstreamCluster('my-project'), 'my-project');
  });

  it('loses one leading prefix and one leading slash, not more', () => {
    assert.equal(decodeUpstreamCluster('cluster-cluster-a'), 'cluster-a');
    assert.equal(decodeUpstreamCluster('cluster-__a'), '/a');
    assert.equal(decodeUpstreamCluster('_cluster-a'), 'cluster-a');
  });

  it('names no project where nothing is left', () => {
    for (const value of ['', 'cluster-', 'cluster-_', '_']) assert.equal(decodeUpstreamCluster(value), undefined, value);
  });

  it('is written with every slash as an underscore, and never as the prefix alone', () => {
    assert.equal(encodeUpstreamCluster('my-project'), 'cluster-my-project');
    assert.equal(encodeUpstreamCluster('a/b/c'), 'cluster-a_b_c');
    assert.equal(encodeUpstreamCluster(''), undefined);
  });

  it('leads back to the project', () => {
    fc.assert(fc.property(projects, (project) => assert.equal(decodeUpstreamCluster(encodeUpstreamCluster(project) ?? ''), project)));
  });
});
