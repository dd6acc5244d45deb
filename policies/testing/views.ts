import { CITY_CODE } from '#api/keys.ts';
import { absent, present } from '#mirror/observation.ts';
import type { LocationView } from '#policies/decide-location.ts';
import type { HeldObject } from '#policies/held-object.ts';
import { locationPolicy } from '#policies/location-policy.ts';
import { desiredServingLocation } from '#policies/serving-location.ts';
import type { SourceLocation } from '#policies/source-location.ts';

/** When the held location was published. */
export const EARLIER = '2030-01-01T00:00:00.000Z';
/** When a test decides. */
export const NOW = '2030-02-02T00:00:00.000Z';

/** A Location that is in order. */
export function sourceWith(more: Partial<SourceLocation> = {}): SourceLocation {
  return { uid: 'source-uid', generation: 3, topology: { [CITY_CODE]: 'DFW', region: 'us' }, deleting: false, ...more };
}

/** An object of ours as the hub holds it. */
export function heldWith(more: Partial<HeldObject> = {}): HeldObject {
  return {
    ...{ uid: 'held-uid', resourceVersion: '7', generation: 1, spec: {}, ours: true, terminating: false },
    ...{ blocked: undefined, override: false, foreignManagers: [] },
    ...more,
  };
}

/** The serving location that a source calls for, as it was published earlier. */
export function servedFor(source: SourceLocation = sourceWith(), more: Partial<HeldObject> = {}): HeldObject {
  const { spec } = desiredServingLocation('dfw', source, { heldSpec: undefined, now: EARLIER });
  return heldWith({ spec, ...more });
}

/** The policy of location `dfw`, as the hub holds it. */
export function policyHeld(more: Partial<HeldObject> = {}): HeldObject {
  return heldWith({ uid: 'policy-uid', spec: locationPolicy('dfw')['spec'], ...more });
}

/** Location `dfw`, declared and published and all known, unless said otherwise. */
export function viewWith(more: Partial<LocationView> = {}): LocationView {
  return {
    ...{ name: 'dfw', now: NOW, source: present(sourceWith()), held: present(servedFor()), policy: present(policyHeld()) },
    ...{ sourceCount: present(2), clusters: present([]) },
    ...more,
  };
}

/** The same, and the Location is gone. */
export function goneWith(more: Partial<LocationView> = {}): LocationView {
  return viewWith({ source: absent('weak'), ...more });
}
