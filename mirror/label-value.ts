import { createHash } from 'node:crypto';

/** The API server rejects a whole write for one label value longer than this. */
const LABEL_VALUE_MAX = 63;
const HASH_LENGTH = 12;

/** Labels that fit, and annotations of the same keys with the full values of those that did not. */
export type Labelled = { labels: Record<string, string>; annotations: Record<string, string> };

/**
 * Makes label values of any length fit (contract section 1, "Label values past 63 characters").
 * A value that fits is used as it is. A longer one becomes a prefix, `-` and 12 hex of its sha256, and the full value goes
 * into an annotation of the same key. Undefined and empty values are left out.
 */
export function labelled(values: Record<string, string | undefined>): Labelled {
  const result: Labelled = { labels: {}, annotations: {} };
  for (const [key, value] of Object.entries(values)) {
    if (!value) continue;
    result.labels[key] = labelValue(value);
    if (result.labels[key] !== value) result.annotations[key] = value;
  }
  return result;
}

/** The label value that stands for `value`: itself, or its shortened form. Always valid where `value` is made of valid characters. */
export function labelValue(value: string): string {
  if (value.length <= LABEL_VALUE_MAX) return value;
  return shorten(value, { max: LABEL_VALUE_MAX, hashLength: HASH_LENGTH, seed: value });
}

/**
 * Cuts `text` to `max` characters, ending in `-` and `hashLength` hex characters of sha256(`seed`).
 * The cut never ends in a separator, so the result is a valid DNS name or label value wherever the text was.
 */
export function shorten(text: string, { max, hashLength, seed }: { max: number; hashLength: number; seed: string }): string {
  const hex = createHash('sha256').update(seed).digest('hex').slice(0, hashLength);
  const prefix = text.slice(0, max - hashLength - 1).replace(/[^a-zA-Z0-9]+$/, '');
  return `${prefix}-${hex}`;
}

/** The full value behind a label: the annotation of the same key where there is one, else the label itself. */
export function fullValue(
  key: string,
  metadata: { labels?: Record<string, string>; annotations?: Record<string, string> },
): string | undefined {
  return metadata.annotations?.[key] ?? metadata.labels?.[key];
}
