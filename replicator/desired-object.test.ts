import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  LOCATION,
  NETWORK,
  SOURCE_CLUSTER_UID,
  SOURCE_UID,
  UPSTREAM_CLUSTER_NAME,
  UPSTREAM_GROUP,
  UPSTREAM_KIND,
  UPSTREAM_NAME,
  UPSTREAM_NAMESPACE,
} from '#api/keys.ts';
import { copyDigest } from '#mirror/owned-fields.ts';
import { desiredNamespace, desiredObject } from '#replicator/desired-object.ts';
import { HUB_NAMESPACE, marks, objectNames, ORIGIN, sourceObject } from '#replicator/testing/objects.ts';

const LABEL_VALUE = /^([a-zA-Z0-9]([-_.a-zA-Z0-9]{0,61}[a-zA-Z0-9])?)?$/;
const bodies = fc.dictionary(
  fc.stringMatching(/^[a-z]{3,8}$/).filter((field) => !['status', 'kind', 'metadata'].includes(field)),
  fc.jsonValue(),
  { noNullPrototype: true },
);

describe('the copy of an object', () => {
  it('is exactly this for a network context', () => {
    assert.deepEqual(desiredObject(sourceObject(), ORIGIN), {
      apiVersion: 'networking.datumapis.com/v1alpha',
      kind: 'NetworkContext',
      metadata: {
        name: 'net-ams',
        namespace: 'ns-n1',
        labels: {
          [LOCATION]: 'ams',
          [NETWORK]: 'net',
          [UPSTREAM_CLUSTER_NAME]: 'cluster-org_p',
          [UPSTREAM_NAMESPACE]: 'default',
          [UPSTREAM_GROUP]: 'networking.datumapis.com',
          [UPSTREAM_KIND]: 'NetworkContext',
          [UPSTREAM_NAME]: 'net-ams',
        },
        annotations: { [SOURCE_UID]: 'source-uid', [SOURCE_CLUSTER_UID]: 'project-uid' },
      },
      spec: { network: { name: 'net' }, location: { name: 'ams' } },
    });
  });

  it('has the body whole, fields not known here too, and no status; its source stays as it is', () => {
    fc.assert(
      fc.property(marks, bodies, (labels, body) => {
        const source = sourceObject({ labels, annotations: labels }, body);
        const before = structuredClone(source);
        const { apiVersion: _a, kind: _k, metadata: _m, ...carried } = desiredObject(source, ORIGIN);
        assert.deepEqual(source, before);
        const { apiVersion: _b, kind: _l, metadata: _n, status: _s, ...original } = source;
        assert.deepEqual(carried, original);
      }),
    );
  });

  it("has the source's labels that are propagated and no other, none of its annotations, and ours whatever the source says", () => {
    fc.assert(
      fc.property(marks, (said) => {
        const { metadata } = desiredObject(sourceObject({ labels: said, annotations: said }), ORIGIN);
        const ours = desiredObject(sourceObject({ labels: {}, annotations: {} }), ORIGIN).metadata;
        for (const key of [LOCATION, NETWORK]) assert.equal(metadata.labels?.[key], said[key]);
        const { [LOCATION]: _location, [NETWORK]: _network, ...computed } = metadata.labels ?? {};
        assert.deepEqual(computed, ours.labels);
        assert.deepEqual(metadata.annotations, ours.annotations);
      }),
    );
  });

  it('has nothing else of the metadata', () => {
    const grown = sourceObject({ ownerReferences: [{}], deletionTimestamp: '2030-01-01T00:00:00Z', managedFields: [{ manager: 'm' }] });
    assert.deepEqual(Object.keys(desiredObject(grown, ORIGIN).metadata).toSorted(), ['annotations', 'labels', 'name', 'namespace']);
  });

  for (const length of [63, 64, 120, 253]) {
    it(`keeps a name of ${length} characters, and has it in full where a label cannot`, () => {
      const name = 'n'.repeat(length);
      const { metadata } = desiredObject(sourceObject({ name }), ORIGIN);
      assert.equal(metadata.name, name);
      if (length <= 63) assert.equal(metadata.labels?.[UPSTREAM_NAME], name);
      else assert.match(metadata.labels?.[UPSTREAM_NAME] ?? '', /^n{50}-[0-9a-f]{12}$/);
      assert.equal(metadata.annotations?.[UPSTREAM_NAME], length <= 63 ? undefined : name);
    });
  }

  it('has only label values that an API server takes, however long the names are', () => {
    fc.assert(
      fc.property(objectNames, objectNames, (name, project) => {
        const { labels } = desiredObject(sourceObject({ name }), { ...ORIGIN, project }).metadata;
        for (const value of Object.values(labels ?? {})) assert.match(value, LABEL_VALUE);
      }),
    );
  });

  it('has one digest whatever the order of keys in the source, and while only counters and times change', () => {
    fc.assert(
      fc.property(marks, bodies, (labels, body) => {
        const digestOf = (source: ReturnType<typeof sourceObject>) => copyDigest(desiredObject(source, ORIGIN));
        const reversed = (values: Record<string, unknown>) => Object.fromEntries(Object.entries(values).toReversed());
        const source = sourceObject({ labels }, body);
        assert.equal(
          digestOf(sourceObject({ labels: { ...reversed(labels) } as Record<string, string> }, reversed(body))),
          digestOf(source),
        );
        assert.equal(
          digestOf(sourceObject({ labels, resourceVersion: '99', generation: 9 }, { ...body, status: { a: 1 } })),
          digestOf(source),
        );
      }),
    );
  });

  it('of the core group has a version without a group', () => {
    const kind = { ...ORIGIN.kind, group: '', version: 'v1', kind: 'ConfigMap' };
    const copy = desiredObject(sourceObject({}, { data: { a: 'b' } }), { ...ORIGIN, kind });
    assert.equal(copy.apiVersion, 'v1');
    assert.equal(copy.metadata.labels?.[UPSTREAM_GROUP], undefined, 'an empty label is left out');
  });
});

describe('the namespace on the hub', () => {
  it('has the two routing labels and nothing else', () => {
    assert.deepEqual(desiredNamespace({ name: 'default', uid: 'n1' }, 'org/p'), {
      ...HUB_NAMESPACE,
      metadata: { ...HUB_NAMESPACE.metadata, annotations: {} },
    });
  });

  it("has a long project's full name as an annotation", () => {
    const { metadata } = desiredNamespace({ name: 'default', uid: 'n1' }, 'p'.repeat(100));
    assert.match(metadata.labels?.[UPSTREAM_CLUSTER_NAME] ?? '', /^cluster-p{42}-[0-9a-f]{12}$/);
    assert.equal(metadata.annotations?.[UPSTREAM_CLUSTER_NAME], `cluster-${'p'.repeat(100)}`);
  });
});
