import { CLUSTER_PROPAGATION_POLICIES, LOCATIONS, type Resource, SERVING_LOCATIONS } from '#api/resources.ts';
import { isLocationName } from '#mirror/location-name.ts';
import type { Observation } from '#mirror/observation.ts';
import type { LocationView } from '#policies/decide-location.ts';
import type { HeldObject } from '#policies/held-object.ts';
import { locationPolicyName } from '#policies/location-policy.ts';
import { hasCityCode } from '#policies/source-location.ts';

/** States of a location that an operator must know of. Closed: each is a label value and the reason of an Event. */
export const REPORT_REASONS = ['InvalidLocationName', 'MissingCityCode', 'UnlabelledHubObject', 'ForeignFieldManager'] as const;

/** One of them. */
export type ReportReason = (typeof REPORT_REASONS)[number];

/** One state, the object that it is about, and what tells this occurrence of it from an earlier one. */
export type Report = {
  reason: ReportReason;
  about: { resource: Resource; name: string; uid: string };
  /** Uid and generation of the object: the same for as long as nobody changes it. */
  occurrence: string;
  note: string;
};

/** What is to be reported of a location that is declared. Pure; of what is unknown nothing is said. */
export function reportsOf({ name, source, held, policy }: LocationView): Report[] {
  if (source.kind !== 'present') return [];
  const about = (reason: ReportReason, note: string) => report(reason, { resource: LOCATIONS, name, ...source.object, note });
  return [
    ...(isLocationName(name)
      ? []
      : [about('InvalidLocationName', 'Not published: a location name is a DNS label of at most 63 characters')]),
    ...(hasCityCode(source.object) ? [] : [about('MissingCityCode', 'Not published: its topology has no topology.datum.net/city-code')]),
    ...reportsOnHub({ resource: SERVING_LOCATIONS, name }, held),
    ...reportsOnHub({ resource: CLUSTER_PROPAGATION_POLICIES, name: locationPolicyName(name) }, policy),
  ];
}

function reportsOnHub(where: { resource: Resource; name: string }, held: Observation<HeldObject>): Report[] {
  if (held.kind !== 'present') return [];
  const { ours, foreignManagers } = held.object;
  if (!ours) {
    const note = 'Left alone: it does not carry the published-by label of the location publisher';
    return [report('UnlabelledHubObject', { ...where, ...held.object, note })];
  }
  if (foreignManagers.length === 0) return [];
  return [report('ForeignFieldManager', { ...where, ...held.object, note: `Its spec is owned in part by ${foreignManagers.join(', ')}` })];
}

function report(
  reason: ReportReason,
  { resource, name, uid, generation, note }: { resource: Resource; name: string; uid: string; generation: number; note: string },
): Report {
  return { reason, about: { resource, name, uid }, occurrence: `${uid}/${generation}`, note };
}
