import type { FieldSet, KubeObject, ObjectMeta } from '#api/objects.ts';
import type { CopyDescription } from '#mirror/published-index.ts';

/** The field manager of the tests' copies. */
export const FIELD_MANAGER = 'fedhub-test';

/** A copy of the source `ns/<source>` from `origin` as a server holds it: all of its labels and annotations are ours. */
export function heldCopy(more: { source?: string; origin?: string; metadata?: Partial<ObjectMeta>; body?: Record<string, unknown> } = {}) {
  const { source = 'a', origin = 'here' } = more;
  const labels = { origin, ours: 'yes' };
  const annotations = { source: `ns/${source}`, cluster: 'cell-uid' };
  const fields = { 'f:metadata': { 'f:labels': owned(labels), 'f:annotations': owned(annotations) } };
  return {
    kind: 'EndpointSlice',
    metadata: {
      name: `copy-${source}`,
      namespace: 'ns',
      uid: 'u1',
      resourceVersion: '1',
      labels,
      annotations,
      managedFields: [{ manager: FIELD_MANAGER, operation: 'Apply' as const, fieldsV1: fields }],
      ...more.metadata,
    },
    addressType: 'IPv6',
    ...more.body,
  };
}

/** What the tests' copies say of themselves. */
export function describeCopy({ metadata, ...copy }: KubeObject): CopyDescription | undefined {
  const origin = metadata.labels?.['origin'];
  if (origin === undefined || metadata.labels?.['ours'] !== 'yes') return undefined;
  const recorded = metadata.annotations?.['source'];
  return {
    origin,
    source: recorded ?? `ns/${metadata.name.replace('copy-', '')}`,
    sourceRecorded: recorded !== undefined,
    sourceCluster: metadata.annotations?.['cluster'],
    fixed: String(copy['addressType']),
  };
}

function owned(keys: Record<string, string>): FieldSet {
  return Object.fromEntries(Object.keys(keys).map((key) => [`f:${key}`, {}]));
}
