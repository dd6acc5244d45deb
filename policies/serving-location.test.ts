import assert from 'node:assert/strict';
import { CITY_CODE, LOCATION_PUBLISHER, PUBLISHED_BY, REMOVAL_BLOCKED } from '#api/keys.ts';
import { desiredServingLocation, heldServingLocation } from '#policies/serving-location.ts';
import { EARLIER, NOW, sourceWith } from '#policies/testing/views.ts';

const source = sourceWith();
const specAt = (publishedAt: string) => ({ topology: source.topology, source: { generation: 3, publishedAt } });
const publishedAt = (heldSpec: unknown) => {
  const { spec } = desiredServingLocation('dfw', source, { heldSpec, now: NOW });
  return (spec as ReturnType<typeof specAt>).source.publishedAt;
};

describe('the serving location of a Location', () => {
  it('carries topology, generation and moment, and says who published it', () => {
    assert.deepEqual(desiredServingLocation('dfw', source, { heldSpec: undefined, now: NOW }), {
      apiVersion: 'networking.datumapis.com/v1alpha',
      kind: 'ServingLocation',
      metadata: { name: 'dfw', labels: { [PUBLISHED_BY]: LOCATION_PUBLISHER }, annotations: {} },
      spec: specAt(NOW),
    });
  });

  it('keeps its moment while its content is the same', () => {
    assert.equal(publishedAt(specAt(EARLIER)), EARLIER);
  });

  it('has another moment whenever anything else differs', () => {
    const held = specAt(EARLIER);
    for (const other of [
      { ...held, topology: { ...held.topology, more: '1' } },
      { ...held, topology: { [CITY_CODE]: 'DFW' } },
      { ...held, source: { ...held.source, generation: 2 } },
      { ...held, source: { generation: 3 } },
      { ...held, more: 1 },
      {},
      undefined,
      null,
      'nonsense',
    ]) {
      assert.equal(publishedAt(other), NOW, JSON.stringify(other));
    }
  });

  it('under a blocked removal stays as it is but for the annotation', () => {
    const blocked = heldServingLocation('dfw', { spec: specAt(EARLIER), blocked: 'EmptySourceList: x' });
    assert.deepEqual(blocked.metadata.annotations, { [REMOVAL_BLOCKED]: 'EmptySourceList: x' });
    assert.deepEqual(blocked['spec'], specAt(EARLIER));
    assert.deepEqual(heldServingLocation('dfw', { spec: specAt(EARLIER), blocked: undefined }).metadata.annotations, {});
  });
});
