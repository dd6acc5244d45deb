import assert from 'node:assert/strict';
import { POLICIES_FIELD_MANAGER } from '#api/field-managers.ts';
import type { KubeObject, ManagedFields } from '#api/objects.ts';
import { reduceHeld } from '#policies/held-object.ts';

const PUBLISHED_BY = 'networking.datumapis.com/published-by';

function held(metadata: Partial<KubeObject['metadata']> = {}) {
  return reduceHeld({ metadata: { name: 'dfw', ...metadata }, spec: { a: 1 } });
}

const owns = (manager: string, field: string, more: Partial<ManagedFields> = {}): ManagedFields => ({
  ...{ manager, operation: 'Update', fieldsV1: { [field]: {} } },
  ...more,
});

describe('what is read of an object on the hub', () => {
  it('is ours by exactly one label', () => {
    assert.equal(held({ labels: { [PUBLISHED_BY]: 'location-publisher' } }).ours, true);
    for (const labels of [{}, { [PUBLISHED_BY]: 'somebody' }, { [PUBLISHED_BY]: '' }]) assert.equal(held({ labels }).ours, false);
    assert.equal(held().ours, false);
  });

  it('is overridden by exactly one value', () => {
    const override = (value: string) => held({ annotations: { 'networking.datumapis.com/removal-override': value } }).override;
    assert.deepEqual(['true', 'True', '', 'false', '1'].map(override), [true, false, false, false, false]);
  });

  it('names others that own part of its spec, once each and in order', () => {
    const managedFields = [
      owns('kubectl-edit', 'f:spec'),
      owns('argo', 'f:spec', { operation: 'Apply' }),
      owns('kubectl-edit', 'f:spec', { operation: 'Apply' }),
      owns(POLICIES_FIELD_MANAGER, 'f:spec', { operation: 'Apply' }),
      owns('karmada-controller-manager', 'f:metadata'),
      owns('status-writer', 'f:spec', { subresource: 'status' }),
    ];
    assert.deepEqual(held({ managedFields }).foreignManagers, ['argo', 'kubectl-edit']);
  });
});
