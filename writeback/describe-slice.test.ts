import assert from 'node:assert/strict';
import fc from 'fast-check';
import { LOCATION, SLICE_PROJECTION, SLICE_SOURCE_NAME } from '#api/keys.ts';
import type { KubeObject } from '#api/objects.ts';
import { judgeOccupant } from '#mirror/ownership.ts';
import { describeSlice } from '#writeback/describe-slice.ts';
import { desiredSlice } from '#writeback/desired-slice.ts';
import { locationNames, ORIGIN, sourceNames, sourceSlice } from '#writeback/testing/slices.ts';

const copy = desiredSlice(sourceSlice(), ORIGIN);

function without(part: 'labels' | 'annotations', key: string): KubeObject {
  const { [key]: _gone, ...rest } = copy.metadata[part] ?? {};
  return { ...copy, metadata: { ...copy.metadata, [part]: rest } };
}

describe('what a copy says of itself', () => {
  it('leads back to the source, for names that were cut as well', () => {
    fc.assert(
      fc.property(locationNames, sourceNames, (location, name) => {
        const described = describeSlice(desiredSlice(sourceSlice({ name }), { ...ORIGIN, location }));
        assert.deepEqual(described, {
          origin: location,
          source: `ns-1/${name}`,
          sourceRecorded: true,
          sourceCluster: 'cell-uid',
          fixed: 'IPv6',
        });
      }),
    );
  });

  it('is nothing without the projection label or a location', () => {
    assert.equal(describeSlice(without('labels', SLICE_PROJECTION)), undefined);
    assert.equal(describeSlice(without('labels', LOCATION)), undefined);
    assert.equal(describeSlice(sourceSlice()), undefined);
    const labels = { ...copy.metadata.labels, [SLICE_PROJECTION]: 'yes' };
    assert.equal(describeSlice({ ...copy, metadata: { ...copy.metadata, labels } }), undefined);
  });

  it('is guessed from its name, and marked as a guess, where the source name was edited away', () => {
    const described = describeSlice(without('annotations', SLICE_SOURCE_NAME));
    assert.equal(described?.source, 'ns-1/pod-a');
    assert.equal(described.sourceRecorded, false);
  });

  it('lets its own source put it right where the source name was edited away, however long that is', () => {
    fc.assert(
      fc.property(locationNames, sourceNames, (location, name) => {
        const { metadata, ...body } = desiredSlice(sourceSlice({ name }), { ...ORIGIN, location });
        const { [SLICE_SOURCE_NAME]: _gone, ...annotations } = metadata.annotations ?? {};
        const found = describeSlice({ ...body, metadata: { ...metadata, annotations } });
        assert.equal(judgeOccupant(found, { origin: location, sourceCluster: 'cell-uid', source: `ns-1/${name}` }), 'ours');
      }),
    );
  });

  it('is nothing where neither the annotation nor the name tells the source', () => {
    const nameless = without('annotations', SLICE_SOURCE_NAME);
    assert.equal(describeSlice({ ...nameless, metadata: { ...nameless.metadata, name: 'vpc-fra-1.pod-a' } }), undefined);
  });

  it('tells copies apart that cannot become each other in place', () => {
    assert.equal(describeSlice({ ...copy, addressType: 'IPv4' })?.fixed, 'IPv4');
  });
});
