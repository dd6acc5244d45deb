import { SLICE_COPY_PREFIX } from '#api/names.ts';
import { shorten } from '#mirror/label-value.ts';

/** Karmada appends the kind to the name of what it derives; past this length that name would be invalid (contract section 2). */
const COPY_NAME_MAX = 238;
const HASH_LENGTH = 16;

/**
 * The name of a slice's copy on the hub: `vpc-<location>.<source name>`.
 * A location has no dots, so two sources never share a name. A longer one is cut and ends in a hash of location and name.
 */
export function sliceCopyName(location: string, sourceName: string): string {
  const name = `${SLICE_COPY_PREFIX}${location}.${sourceName}`;
  return name.length <= COPY_NAME_MAX
    ? name
    : shorten(name, { max: COPY_NAME_MAX, hashLength: HASH_LENGTH, seed: `${location}/${sourceName}` });
}
