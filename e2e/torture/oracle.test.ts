import assert from 'node:assert/strict';
import { KARMADA_MANAGED, SLICE_PROJECTION, UPSTREAM_CLUSTER_NAME, UPSTREAM_NAMESPACE } from '#api/keys.ts';
import type { EndpointSlice } from '#api/objects.ts';
import { copyName, expectedContent } from '#e2e/scenario/expected-copy.ts';
import { sourceObject } from '#e2e/scenario/source-object.ts';
import type { SourceOptions } from '#e2e/scenario/source-object.ts';
import { findDifferences } from '#e2e/torture/oracle.ts';
import type { Sight } from '#e2e/torture/oracle.ts';

const hubNamespace = { metadata: { name: 'ns', labels: { [UPSTREAM_CLUSTER_NAME]: 'cluster-p', [UPSTREAM_NAMESPACE]: 'default' } } };
const cell = { location: 'dfw', clusterUid: 'cell-uid' };

const sourceOf = (options: SourceOptions = {}, name = 'pod') => sourceObject({ namespace: 'ns', name }, options);

function copyOf(source: EndpointSlice): EndpointSlice {
  const { labels, annotations, addressType, endpoints } = expectedContent(source, { ...cell, hubNamespace });
  const metadata = { name: copyName('dfw', source.metadata.name), uid: 'u', resourceVersion: '7', labels, annotations };
  return { metadata, addressType, endpoints: Array.isArray(endpoints) ? endpoints : [] };
}

function look(sources: EndpointSlice[], copies: EndpointSlice[], foreign: Sight['foreign'] = new Map()): string[] {
  return findDifferences({ hubNamespace, copies, cells: [{ ...cell, sources }], foreign });
}

describe('the oracle', () => {
  it('finds nothing where every source has its copy, whatever Karmada has added', () => {
    const copy = copyOf(sourceOf());
    copy.metadata.labels = { ...copy.metadata.labels, 'clusterpropagationpolicy.karmada.io/permanent-id': 'x' };
    assert.deepEqual(look([sourceOf()], [copyOf(sourceOf())]).length, 1, 'another pod uid is another content');
    const source = sourceOf();
    assert.deepEqual(look([source], [copyOf(source)]), []);
    assert.deepEqual(look([], []), []);
  });

  it('misses a copy, and finds one too many', () => {
    const source = sourceOf();
    assert.match(look([source], []).join(), /vpc-dfw\.pod is missing/);
    assert.match(look([], [copyOf(source)]).join(), /vpc-dfw\.pod has no source/);
  });

  it('wants no copy of a source without tenant, one that is leaving, or one that came back', () => {
    const leaving = sourceOf();
    leaving.metadata.deletionTimestamp = 'now';
    const returned = [{ [SLICE_PROJECTION]: 'true' }, { [KARMADA_MANAGED]: 'true' }].map((labels) => sourceOf({ labels }));
    for (const source of [sourceOf({ tenant: null }), leaving, ...returned]) {
      assert.deepEqual(look([source], []), []);
      assert.match(look([source], [copyOf(source)]).join(), /has no source/);
    }
  });

  it('lets the copy of an empty source be as it is, or not be', () => {
    const empty = sourceOf({ fields: { endpoints: [] } });
    assert.deepEqual(look([empty], []), []);
    assert.deepEqual(look([empty], [copyOf(sourceOf())]), []);
  });

  it('finds what a copy says otherwise', () => {
    const source = sourceOf();
    const copy = copyOf(source);
    assert.match(look([source], [{ ...copy, endpoints: [] }]).join(), /instead of/);
    copy.metadata.labels = { ...copy.metadata.labels, added: 'by-hand' };
    assert.match(look([source], [copy]).join(), /added/);
  });

  it('wants what is foreign to be untouched, whether or not a source calls for its name', () => {
    const source = sourceOf();
    const taken = new Map([['vpc-dfw.pod', { uid: 'u', resourceVersion: '7' }]]);
    for (const sources of [[source], []]) {
      assert.deepEqual(look(sources, [copyOf(source)], taken), []);
      assert.match(look(sources, [], taken).join(), /is missing/);
      const touched = copyOf(source);
      touched.metadata.resourceVersion = '8';
      assert.match(look(sources, [touched], taken).join(), /was touched/);
    }
  });
});
