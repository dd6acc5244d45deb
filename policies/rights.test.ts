import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';
import { isRecord } from '#kube/objects.ts';

const READ = ['get', 'list', 'watch'];

/** Every rule of a manifest, as `group/resource: verbs`. */
function rulesOf(file: string): string[] {
  const text = readFileSync(new URL(`../config/rbac/${file}`, import.meta.url), 'utf8');
  const manifests = parseAllDocuments(text).map((document): unknown => document.toJS());
  const rules = manifests.flatMap((manifest) => (isRecord(manifest) && Array.isArray(manifest['rules']) ? manifest['rules'] : []));
  assert.ok(rules.length > 0, `${file} holds no rules`);
  return rules.map(({ apiGroups, resources, verbs }) => `${apiGroups.join()}/${resources.join()}: ${verbs.join(' ')}`);
}

describe('the rights of the location publisher', () => {
  it('let it write on the hub what it publishes, one object at a time, and Events', () => {
    assert.deepEqual(rulesOf('hub-policies.yaml'), [
      `networking.datumapis.com/servinglocations: ${READ.join(' ')} create patch delete`,
      `policy.karmada.io/clusterpropagationpolicies: ${READ.join(' ')} create patch delete`,
      'cluster.karmada.io/clusters: list watch',
      'events.k8s.io/events: create',
    ]);
  });

  it('let it do nothing but read where Locations are declared', () => {
    assert.deepEqual(rulesOf('locations.yaml'), [`networking.datumapis.com/locations: ${READ.join(' ')}`, '/namespaces: get']);
  });
});
