import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isRecord } from '#kube/objects.ts';
import { locationOfPolicy, locationPolicy, locationPolicyName } from '#policies/location-policy.ts';

const locations = fc.stringMatching(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/);
const longest = 'l'.repeat(63);

function specOf(location: string): Record<string, unknown> {
  const { spec } = locationPolicy(location);
  assert.ok(isRecord(spec));
  return spec;
}

describe('the policy of a location', () => {
  it('selects the serving location by its name, and contexts and subnets by their label', () => {
    const apiVersion = 'networking.datumapis.com/v1alpha';
    const labelSelector = { matchLabels: { 'networking.datumapis.com/location': 'dfw' } };
    assert.deepEqual(specOf('dfw')['resourceSelectors'], [
      { apiVersion, kind: 'ServingLocation', name: 'dfw' },
      { apiVersion, kind: 'NetworkContext', labelSelector },
      { apiVersion, kind: 'Subnet', labelSelector },
    ]);
  });

  it('places them on the clusters of that location, and on no other', () => {
    assert.deepEqual(specOf('dfw')['placement'], {
      clusterAffinity: { labelSelector: { matchLabels: { 'topology.datum.net/location': 'dfw' } } },
    });
  });

  it('lets a withdrawal reach the cell', () => {
    assert.equal(specOf('dfw')['preserveResourcesOnDeletion'], false);
  });

  it('selects no Network, and nothing whole', () => {
    fc.assert(
      fc.property(locations, (location) => {
        const selectors = specOf(location)['resourceSelectors'];
        assert.ok(Array.isArray(selectors));
        for (const selector of selectors.filter(isRecord)) {
          assert.notEqual(selector['kind'], 'Network');
          assert.ok('name' in selector || 'labelSelector' in selector);
        }
      }),
    );
  });

  it('has a name that leads back to its location, and is marked as ours', () => {
    fc.assert(fc.property(locations, (location) => assert.equal(locationOfPolicy(locationPolicyName(location)), location)));
    assert.equal(locationPolicy(longest).metadata.name, `location-${longest}`);
    assert.deepEqual(locationPolicy('dfw').metadata.labels, { 'networking.datumapis.com/published-by': 'location-publisher' });
    for (const name of ['gateways', 'location-', 'locations']) assert.equal(locationOfPolicy(name), undefined, name);
  });
});
