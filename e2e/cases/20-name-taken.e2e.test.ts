// Case 20: a foreign object sits on the hub under a copy's name: a user's slice, a copy of another location, of another source.
// It is never overwritten or deleted, the refusal is reported, and the copy is made once the name is free.
import assert from 'node:assert/strict';
import { LOCATION, SLICE_PROJECTION, SLICE_SOURCE_NAME } from '#api/keys.ts';
import { useScenario } from '#e2e/scenario.ts';
import { foreignObject } from '#e2e/scenario/source-object.ts';
import type { SourceOptions } from '#e2e/scenario/source-object.ts';

const OURS = { [SLICE_PROJECTION]: 'true' };

const FOREIGN: [string, SourceOptions][] = [
  ["a user's slice", { tenant: null, sid: null }],
  ['a copy of another location', { labels: { ...OURS, [LOCATION]: 'elsewhere' }, annotations: { [SLICE_SOURCE_NAME]: 'pod-1' } }],
  ['a copy of another source', { labels: { ...OURS, [LOCATION]: 'dfw' }, annotations: { [SLICE_SOURCE_NAME]: 'pod-2' } }],
  ['a slice that only names our source', { labels: { [LOCATION]: 'dfw' }, annotations: { [SLICE_SOURCE_NAME]: 'pod-1' } }],
];

describe('case 20: a name that is taken', () => {
  const scenario = useScenario();

  for (const [what, options] of FOREIGN) {
    it(`is left to ${what}`, async () => {
      const { c1, hub, namespace, service, source } = scenario();
      const pod = source(c1, await namespace());
      const foreign = await hub.slices.create(foreignObject(pod.copyKey, options));
      await pod.create();
      await service.expectHeld('c1', 'NameTaken');
      await service.swept('c1');
      assert.deepEqual(await pod.copy(), foreign);
      await pod.delete();
      await service.swept('c1');
      assert.deepEqual(await pod.copy(), foreign);
      await pod.create();
      await hub.slices.delete(pod.copyKey);
      await pod.expectCopy();
    });
  }
});
