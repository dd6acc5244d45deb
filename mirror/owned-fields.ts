import type { FieldSet, KubeObject } from '#api/objects.ts';
import { digest } from '#mirror/digest.ts';

/**
 * The digest of the part of a hub object that is ours: its body whole, and of its labels and annotations those that our
 * field manager owns. Others' keys (Karmada's marks, an operator's label) never count, so nobody's key is fought over.
 * A key of ours that somebody took over no longer counts either, so that the digest differs and the copy is applied again.
 */
export function ownedDigest(object: KubeObject, fieldManager: string): string {
  const owned = ownedMetadata(object, fieldManager);
  return copyDigest({ ...object, metadata: { ...object.metadata, labels: owned.labels, annotations: owned.annotations } });
}

/** The digest of a copy as we would write it: labels, annotations and body. Status and the rest of the metadata never count. */
export function copyDigest(copy: KubeObject): string {
  const { apiVersion: _apiVersion, kind: _kind, metadata, status: _status, ...body } = copy;
  return digest({ labels: metadata.labels ?? {}, annotations: metadata.annotations ?? {}, body });
}

/**
 * The labels of an object that our field manager owns. An object that was never on a server has no managed fields: then all
 * of its labels are meant to be ours.
 */
export function ownedLabels(object: KubeObject, fieldManager: string): Record<string, string> {
  return object.metadata.managedFields === undefined ? (object.metadata.labels ?? {}) : ownedMetadata(object, fieldManager).labels;
}

function ownedMetadata(object: KubeObject, fieldManager: string) {
  const sets = (object.metadata.managedFields ?? [])
    .filter((entry) => entry.manager === fieldManager && !entry.subresource)
    .map((entry) => entry.fieldsV1?.['f:metadata']);
  return {
    labels: restrict(
      object.metadata.labels,
      sets.map((set) => set?.['f:labels']),
    ),
    annotations: restrict(
      object.metadata.annotations,
      sets.map((set) => set?.['f:annotations']),
    ),
  };
}

function restrict(values: Record<string, string> | undefined, sets: (FieldSet | undefined)[]): Record<string, string> {
  return Object.fromEntries(Object.entries(values ?? {}).filter(([key]) => sets.some((set) => set !== undefined && `f:${key}` in set)));
}
