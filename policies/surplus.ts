import { isRecord } from '#kube/objects.ts';
import type { FieldsToRemove } from '#kube/remove-fields.ts';

/** The fields that `held` has and `wanted` has not, nested as they lie; undefined when there is none. Lists count as a whole. */
export function surplusOf(held: unknown, wanted: unknown): FieldsToRemove | undefined {
  if (!isRecord(held) || !isRecord(wanted)) return undefined;
  const surplus: FieldsToRemove = {};
  for (const [field, value] of Object.entries(held)) {
    const inner = Object.hasOwn(wanted, field) ? surplusOf(value, wanted[field]) : null;
    if (inner !== undefined) surplus[field] = inner;
  }
  return Object.keys(surplus).length > 0 ? surplus : undefined;
}
