import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  LOCATION,
  SLICE_PROJECTION,
  SLICE_SOURCE_NAME,
  SOURCE_CLUSTER_UID,
  SOURCE_UID,
  SRV6_SID,
  TENANT_ID,
  UPSTREAM_CLUSTER_NAME,
  UPSTREAM_NAMESPACE,
} from '#api/keys.ts';
import { crosses } from '#mirror/crossing-keys.ts';
import { copyDigest } from '#mirror/owned-fields.ts';
import { desiredSlice } from '#writeback/desired-slice.ts';
import { ORIGIN, sourceSlice } from '#writeback/testing/slices.ts';

const OUR_KEYS = [UPSTREAM_CLUSTER_NAME, UPSTREAM_NAMESPACE, LOCATION, SLICE_PROJECTION, SLICE_SOURCE_NAME, SOURCE_UID, SOURCE_CLUSTER_UID];
const FOREIGN_KEYS = [
  'karmada.io/managed',
  'work.karmada.io/name',
  'resourcebinding.karmada.io/permanent-id',
  'endpointslice.kubernetes.io/managed-by',
  'kubernetes.io/service-name',
  'kubectl.kubernetes.io/last-applied-configuration',
];
const keys = fc.oneof(
  fc.constantFrom(...OUR_KEYS, ...FOREIGN_KEYS, TENANT_ID),
  fc.stringMatching(/^[a-z]{1,5}(\.[a-z]{1,5})?\/[a-z]{1,5}$/),
);
const marks = fc.dictionary(keys, fc.stringMatching(/^[a-zA-Z0-9]{0,8}$/), { noNullPrototype: true });
const bodies = fc.dictionary(fc.stringMatching(/^[a-z]{3,8}$/), fc.jsonValue(), { noNullPrototype: true });

describe('the copy of a slice', () => {
  it('is exactly this for a slice as a pod producer writes it', () => {
    assert.deepEqual(desiredSlice(sourceSlice(), ORIGIN), {
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: {
        name: 'vpc-ams-1.pod-a',
        namespace: 'ns-1',
        labels: {
          [TENANT_ID]: 'Ab3-Zz9',
          [UPSTREAM_CLUSTER_NAME]: 'cluster-project-a',
          [UPSTREAM_NAMESPACE]: 'default',
          [LOCATION]: 'ams-1',
          [SLICE_PROJECTION]: 'true',
        },
        annotations: {
          [TENANT_ID]: 'Ab3-Zz9',
          [SRV6_SID]: 'fc00:0:1::',
          [SLICE_SOURCE_NAME]: 'pod-a',
          [SOURCE_UID]: 'source-uid',
          [SOURCE_CLUSTER_UID]: 'cell-uid',
        },
      },
      addressType: 'IPv6',
      endpoints: [{ addresses: ['fd00::1'], conditions: { ready: true }, targetRef: { kind: 'Pod', name: 'pod-a' } }],
      ports: null,
    });
  });

  it('has the body byte for byte: null ports, unset conditions, zone, hints, fields not known here', () => {
    const body = {
      ports: null,
      endpoints: [
        { addresses: ['FD00:0::1'], conditions: {}, zone: 'z', hints: { forZones: [{ name: 'z' }] }, newer: { still: [1, null] } },
        { addresses: ['fd00::2'], nodeName: 'n' },
      ],
      newerField: { a: null, b: '' },
    };
    const { apiVersion: _apiVersion, kind: _kind, metadata: _metadata, ...carried } = desiredSlice(sourceSlice({}, body), ORIGIN);
    assert.equal(
      JSON.stringify(carried),
      JSON.stringify({ addressType: 'IPv6', endpoints: body.endpoints, ports: null, newerField: body.newerField }),
    );
  });

  it('has any body as it is, and leaves its source as it is', () => {
    fc.assert(
      fc.property(marks, marks, bodies, (labels, annotations, body) => {
        const source = sourceSlice({ labels, annotations }, body);
        const before = structuredClone(source);
        const { apiVersion: _a, kind: _k, metadata: _m, ...carried } = desiredSlice(source, ORIGIN);
        assert.deepEqual(source, before);
        const { apiVersion: _b, kind: _l, metadata: _n, ...original } = source;
        assert.deepEqual(carried, original);
      }),
    );
  });

  it('has nothing of the metadata but name, namespace, labels and annotations', () => {
    const grown = sourceSlice({
      generation: 3,
      creationTimestamp: '2030-01-01T00:00:00Z',
      deletionTimestamp: '2030-01-01T00:00:00Z',
      finalizers: ['a/b'],
      managedFields: [{ manager: 'pods' }],
    });
    const { metadata } = desiredSlice(grown, ORIGIN);
    assert.deepEqual(Object.keys(metadata).toSorted(), ['annotations', 'labels', 'name', 'namespace']);
  });

  it('takes every label and annotation over that may cross, and no other', () => {
    fc.assert(
      fc.property(marks, marks, (labels, annotations) => {
        const { metadata } = desiredSlice(sourceSlice({ labels, annotations }), ORIGIN);
        for (const [from, to] of [
          [labels, metadata.labels],
          [annotations, metadata.annotations],
        ] as const) {
          for (const [key, value] of Object.entries(from)) if (crosses(key)) assert.equal(to?.[key], value);
          for (const key of Object.keys(to ?? {})) assert.ok(OUR_KEYS.includes(key) || key in from, key);
          for (const key of FOREIGN_KEYS) assert.ok(!(key in (to ?? {})), key);
        }
      }),
    );
  });

  it('has our own keys as computed, whatever the source says there', () => {
    const lies = Object.fromEntries(OUR_KEYS.map((key) => [key, 'a-lie']));
    const honest = desiredSlice(sourceSlice({ labels: {}, annotations: {} }), ORIGIN);
    assert.deepEqual(desiredSlice(sourceSlice({ labels: lies, annotations: lies }), ORIGIN), honest);
  });

  it('has its source name in full however long it is, and a long project name as an annotation', () => {
    const name = 'p'.repeat(253);
    const cluster = `cluster-${'c'.repeat(90)}`;
    const { metadata } = desiredSlice(sourceSlice({ name }), { ...ORIGIN, cluster });
    assert.equal(metadata.annotations?.[SLICE_SOURCE_NAME], name);
    assert.equal(metadata.annotations[UPSTREAM_CLUSTER_NAME], cluster);
    assert.match(metadata.labels?.[UPSTREAM_CLUSTER_NAME] ?? '', /^cluster-c{42}-[0-9a-f]{12}$/);
  });

  it("carries on the project's full name where the namespace has it beside a shortened label", () => {
    const { metadata } = desiredSlice(sourceSlice(), { ...ORIGIN, cluster: 'cluster-short-0123456789ab', clusterInFull: 'cluster-long' });
    assert.equal(metadata.labels?.[UPSTREAM_CLUSTER_NAME], 'cluster-short-0123456789ab');
    assert.equal(metadata.annotations?.[UPSTREAM_CLUSTER_NAME], 'cluster-long');
  });

  it('does not change while only counters and times of the source do', () => {
    const aged = sourceSlice({ resourceVersion: '99', generation: 9, creationTimestamp: '2031-01-01T00:00:00Z' });
    assert.deepEqual(desiredSlice(aged, ORIGIN), desiredSlice(sourceSlice(), ORIGIN));
  });

  it('has one digest whatever the order of keys in the source', () => {
    fc.assert(
      fc.property(marks, bodies, (labels, body) => {
        const source = sourceSlice({ labels, annotations: labels }, body);
        assert.equal(copyDigest(desiredSlice(reversed(source), ORIGIN)), copyDigest(desiredSlice(source, ORIGIN)));
      }),
    );
  });

  it('has another digest for every other body, null and unset being two things', () => {
    const digestOf = (body: Record<string, unknown>) => copyDigest(desiredSlice(sourceSlice({}, body), ORIGIN));
    const digests = [{}, { ports: undefined }, { ports: [] }, { addressType: 'IPv4' }, { endpoints: [] }, { newer: 1 }].map(digestOf);
    assert.equal(new Set(digests).size, digests.length);
  });
});

/** The same value with the keys of every object in the opposite order. */
function reversed<T>(value: T): T;
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, member]) => [key, reversed(member)]),
  );
}
