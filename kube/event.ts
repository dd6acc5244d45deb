import type { KubeObject } from '#api/objects.ts';
import { EVENTS } from '#api/resources.ts';
import type { ObjectRef } from '#kube/errors.ts';
import { apiVersionOf } from '#kube/objects.ts';

/** Where an API server wants Events about objects that lie in no namespace. */
const CLUSTER_NAMESPACE = 'default';
/** An API server refuses a longer note, in bytes. Ours are ASCII. */
const NOTE_MAX = 1024;

/** Something that an operator is told of one object. */
export type Occasion = {
  /** The Event's name. Made of what it tells, telling it twice meets the first Event and adds nothing. */
  name: string;
  type: 'Normal' | 'Warning';
  /** Why, and what was being done: one word each, in CamelCase. */
  reason: string;
  action: string;
  note: string;
  /** Who tells it: `fedhub/<controller>`. */
  controller: string;
  regarding: ObjectRef & { name: string; uid?: string | undefined };
};

/** The `events.k8s.io/v1` Event that tells of an occasion. `nowMs` is the wall clock's. */
export function eventObject({ name, note, controller, regarding, ...told }: Occasion, nowMs: number): KubeObject {
  const { resource, namespace, uid } = regarding;
  return {
    apiVersion: apiVersionOf(EVENTS),
    kind: EVENTS.kind,
    metadata: { namespace: namespace ?? CLUSTER_NAMESPACE, name },
    // A MicroTime: exactly six digits.
    eventTime: new Date(nowMs).toISOString().replace(/Z$/, '000Z'),
    ...told,
    note: note.slice(0, NOTE_MAX),
    reportingController: controller,
    reportingInstance: 'fedhub',
    regarding: {
      apiVersion: apiVersionOf(resource),
      kind: resource.kind,
      name: regarding.name,
      ...(namespace !== undefined && { namespace }),
      ...(uid !== undefined && { uid }),
    },
  };
}
