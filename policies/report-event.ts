import type { KubeObject } from '#api/objects.ts';
import { eventObject } from '#kube/event.ts';
import { shorten } from '#mirror/label-value.ts';
import type { Report } from '#policies/reports.ts';

const NAME_MAX = 200;
const HASH_LENGTH = 12;

/**
 * The Event that tells of a report. Its name is made of what it tells, so that telling it twice, after a restart say, meets the
 * first Event and adds nothing. `nowMs` is the wall clock's.
 */
export function reportEvent({ reason, about, occurrence, note }: Report, nowMs: number): KubeObject {
  const { resource, name } = about;
  const seed = `${resource.kind}/${name}/${reason}/${occurrence}`;
  const occasion = {
    name: shorten(`${name}.${reason.toLowerCase()}`, { max: NAME_MAX, hashLength: HASH_LENGTH, seed }),
    type: 'Warning' as const,
    reason,
    action: 'Publish',
    note,
    controller: 'fedhub/policies.location',
    regarding: about,
  };
  return eventObject(occasion, nowMs);
}
