import { isLocationName } from '#mirror/location-name.ts';
import { type Observation, unknown } from '#mirror/observation.ts';

/** The location that a cell serves, or why that is not known. Unresolved is a waiting state, not an error. */
export type Location =
  | { kind: 'resolved'; name: string; from: 'delivered' | 'configured' /** The configured name that was overruled. */; overruled?: string }
  | { kind: 'unresolved'; reason: 'LocationUnread' | 'NoLocationIdentity' | 'AmbiguousLocationIdentity' | 'InvalidLocationName' };

/**
 * A cell's location (contract section 2): exactly one delivered ServingLocation wins over the configured name; several or
 * none fall back to the configured name. `delivered` is unknown while the list has failed or not ended: that is not "none".
 */
export function resolveLocation(delivered: Observation<string[]>, configured: string | undefined): Location {
  if (delivered.kind === 'unknown') return { kind: 'unresolved', reason: 'LocationUnread' };
  const names = delivered.kind === 'present' ? delivered.object : [];
  const [only] = names;
  if (names.length === 1 && only !== undefined) return deliveredLocation(only, configured);
  if (configured !== undefined) return { kind: 'resolved', name: configured, from: 'configured' };
  return { kind: 'unresolved', reason: names.length === 0 ? 'NoLocationIdentity' : 'AmbiguousLocationIdentity' };
}

/**
 * What was delivered to a cell. A kind that it does not serve has delivered nothing, unless the hub holds copies that this cell published
 * under a location that is not the configured one: then its API is only gone for a while, and the location is not known.
 * `published`: the locations of the cell's copies; undefined while they are not known.
 */
export function deliveredTo(
  delivered: Observation<string[]>,
  { configured, published }: { configured: string | undefined; published: ReadonlySet<string> | undefined },
): Observation<string[]> {
  if (delivered.kind !== 'absent') return delivered;
  const isNew = published !== undefined && [...published].every((location) => location === configured);
  return isNew ? delivered : unknown('LocationUnread');
}

function deliveredLocation(name: string, configured: string | undefined): Location {
  if (!isLocationName(name)) return { kind: 'unresolved', reason: 'InvalidLocationName' };
  const overruled = configured !== undefined && configured !== name ? { overruled: configured } : {};
  return { kind: 'resolved', name, from: 'delivered', ...overruled };
}
