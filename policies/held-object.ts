import { POLICIES_FIELD_MANAGER } from '#api/field-managers.ts';
import { LOCATION_PUBLISHER, PUBLISHED_BY, REMOVAL_BLOCKED, REMOVAL_OVERRIDE } from '#api/keys.ts';
import type { KubeObject, ManagedFields } from '#api/objects.ts';

/** What is read of a serving location or a policy on the hub. */
export type HeldObject = {
  uid: string;
  resourceVersion: string;
  generation: number;
  /** It carries our published-by label. What does not is never touched. */
  ours: boolean;
  terminating: boolean;
  spec: unknown;
  /** What the removal-blocked annotation says. */
  blocked: string | undefined;
  /** An operator asked for the removal whatever the clusters say. */
  override: boolean;
  /** Others that own part of the spec, sorted. */
  foreignManagers: string[];
};

/** Reduces an object on the hub to what deciding about it takes. */
export function reduceHeld({ metadata, spec }: KubeObject): HeldObject {
  const { uid = '', resourceVersion = '', generation = 0, labels = {}, annotations = {}, deletionTimestamp } = metadata;
  return {
    ...{ uid, resourceVersion, generation, spec },
    ours: labels[PUBLISHED_BY] === LOCATION_PUBLISHER,
    terminating: deletionTimestamp !== undefined,
    blocked: annotations[REMOVAL_BLOCKED],
    override: annotations[REMOVAL_OVERRIDE] === 'true',
    foreignManagers: managersOfSpec(metadata.managedFields ?? []),
  };
}

function managersOfSpec(entries: readonly ManagedFields[]): string[] {
  const owning = entries.filter(({ fieldsV1, subresource }) => !subresource && fieldsV1 !== undefined && 'f:spec' in fieldsV1);
  const names = owning.map(({ manager = '' }) => manager).filter((manager) => manager !== POLICIES_FIELD_MANAGER);
  return [...new Set(names)].sort();
}
