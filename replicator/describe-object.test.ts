import assert from 'node:assert/strict';
import fc from 'fast-check';
import { REPLICATOR_FIELD_MANAGER } from '#api/field-managers.ts';
import { LOCATION, NETWORK, UPSTREAM_CLUSTER_NAME, UPSTREAM_KIND, UPSTREAM_NAME, UPSTREAM_NAMESPACE } from '#api/keys.ts';
import type { KubeObject } from '#api/objects.ts';
import { encodeUpstreamCluster } from '#mirror/upstream-name.ts';
import { describeObject } from '#replicator/describe-object.ts';
import { desiredObject } from '#replicator/desired-object.ts';
import { CONTEXT_KIND, objectNames, ORIGIN, sourceObject } from '#replicator/testing/objects.ts';

/** The copy as a server holds it whose labels are all ours, but for those changed by hand since. */
function held(source: KubeObject, byHand: Record<string, string> = {}): KubeObject {
  const copy = desiredObject(source, ORIGIN);
  const labels = { ...copy.metadata.labels, ...byHand };
  const owned = Object.keys(labels).filter((key) => !(key in byHand));
  const fieldsV1 = { 'f:metadata': { 'f:labels': Object.fromEntries(owned.map((key) => [`f:${key}`, {}])) } };
  return { ...copy, metadata: { ...copy.metadata, labels, managedFields: [{ manager: REPLICATOR_FIELD_MANAGER, fieldsV1 }] } };
}

const describeIt = (copy: KubeObject) => describeObject(CONTEXT_KIND, copy);

describe('a copy described', () => {
  it('leads back to its source, however long the names are', () => {
    fc.assert(
      fc.property(objectNames, objectNames, objectNames, (name, project, namespace) => {
        const copy = desiredObject(sourceObject({ name, namespace }), { ...ORIGIN, project });
        assert.deepEqual(describeIt(copy), {
          origin: encodeUpstreamCluster(project),
          source: `${namespace}/${name}`,
          sourceRecorded: true,
          sourceCluster: ORIGIN.clusterUid,
          fixed: describeIt(held(sourceObject()))?.fixed,
        });
      }),
    );
  });

  it('that lost one of the four labels says only from which cluster it came, and without that is nobody’s', () => {
    for (const key of [UPSTREAM_CLUSTER_NAME, UPSTREAM_NAMESPACE, UPSTREAM_NAME, UPSTREAM_KIND]) {
      const copy = desiredObject(sourceObject(), ORIGIN);
      const { [key]: _gone, ...labels } = copy.metadata.labels ?? {};
      const torn = describeIt({ ...copy, metadata: { ...copy.metadata, labels } });
      assert.deepEqual([torn?.origin, torn?.sourceRecorded, torn?.sourceCluster], [undefined, false, ORIGIN.clusterUid], key);
      assert.equal(describeIt({ ...copy, metadata: { ...copy.metadata, labels, annotations: {} } }), undefined, key);
    }
  });

  it('does not say where it came from without the annotation, and is then nothing to delete', () => {
    const copy = desiredObject(sourceObject(), ORIGIN);
    assert.equal(describeIt({ ...copy, metadata: { ...copy.metadata, annotations: {} } })?.sourceCluster, undefined);
  });

  it('is fixed by the propagated labels: each value, each absence', () => {
    const labels = [{}, { [LOCATION]: 'ams' }, { [LOCATION]: 'fra' }, { [NETWORK]: 'ams' }, { [LOCATION]: 'ams', [NETWORK]: 'net' }];
    const fixed = labels.map((carried) => describeIt(held(sourceObject({ labels: carried })))?.fixed);
    assert.equal(new Set(fixed).size, labels.length);
    assert.ok(!fixed.includes(''));
  });

  it('is the same before and after it was written', () => {
    assert.equal(describeIt(held(sourceObject()))?.fixed, describeIt(desiredObject(sourceObject(), ORIGIN))?.fixed);
  });

  it('relabelled by hand is put right in place: nothing is fixed', () => {
    assert.equal(describeIt(held(sourceObject(), { [LOCATION]: 'elsewhere' }))?.fixed, '');
    assert.equal(describeIt(held(sourceObject({ labels: {} }), { [LOCATION]: 'elsewhere' }))?.fixed, '');
  });

  it('labelled by hand with what is not propagated is as fixed as before', () => {
    assert.equal(describeIt(held(sourceObject(), { 'example.com/a': 'b' }))?.fixed, describeIt(held(sourceObject()))?.fixed);
  });
});
