/**
 * True when one resourceVersion of a server is surely before another of the same server.
 * The only comparison there is, and only good for noticing that a server went back (a restored etcd); versions that are no numbers
 * are never older.
 */
export function isOlder(version: string, than: string): boolean {
  if (!DIGITS.test(version) || !DIGITS.test(than)) return false;
  return version.length === than.length ? version < than : version.length < than.length;
}

/** Without leading zeros, so that length decides first. */
const DIGITS = /^(0|[1-9]\d*)$/;
