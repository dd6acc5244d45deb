/** Something that must be listed in full before anything is decided by it. */
export type Listed = {
  /** Why it has not been listed in full yet: `NotListed`, or the code of the last failure. Undefined once it has. */
  readonly missing: string | undefined;
};

/** What is still missing of the hub, in words and with why: `namespaces on the hub (Forbidden)`. */
export function missingOnHub(parts: Record<string, Listed>): string[] {
  return Object.entries(parts).flatMap(([name, { missing }]) => (missing === undefined ? [] : [`${name} on the hub (${missing})`]));
}
