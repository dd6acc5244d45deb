import type { KubeObject } from '#api/objects.ts';
import { EVENTS } from '#api/resources.ts';
import { apiVersionOf } from '#kube/objects.ts';
import { shorten } from '#mirror/label-value.ts';
import type { Report } from '#policies/reports.ts';

/** Where an API server wants Events about objects that lie in no namespace. */
const NAMESPACE = 'default';
const NAME_MAX = 200;
const HASH_LENGTH = 12;

/**
 * The Event that tells of a report. Its name is made of what it tells, so that telling it twice, after a restart say, meets the
 * first Event and adds nothing. `now` is RFC 3339 with milliseconds.
 */
export function reportEvent({ reason, about, occurrence, note }: Report, now: string): KubeObject {
  const { resource, name, uid } = about;
  const seed = `${resource.kind}/${name}/${reason}/${occurrence}`;
  return {
    apiVersion: apiVersionOf(EVENTS),
    kind: EVENTS.kind,
    metadata: {
      namespace: NAMESPACE,
      name: shorten(`${name}.${reason.toLowerCase()}`, { max: NAME_MAX, hashLength: HASH_LENGTH, seed }),
    },
    // A MicroTime: exactly six digits.
    eventTime: now.replace(/Z$/, '000Z'),
    type: 'Warning',
    reason,
    action: 'Publish',
    reportingController: 'fedhub/policies.location',
    reportingInstance: 'fedhub',
    regarding: { apiVersion: apiVersionOf(resource), kind: resource.kind, name, uid },
    note,
  };
}
