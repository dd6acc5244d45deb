import type { KubeObject } from '#api/objects.ts';
import { isObject, isRecord } from '#kube/objects.ts';

/** One event of a watch. */
export type WatchEvent<T> =
  | { type: 'ADDED' | 'MODIFIED' | 'DELETED'; object: T }
  /** Everything up to this resourceVersion has been sent; with `initialEventsEnd` also everything there was at the start. */
  | { type: 'BOOKMARK'; resourceVersion: string; initialEventsEnd: boolean };

/** What a line of a watch says: an event, the server's in-band error, or nothing that the API promises. */
export type WatchLine<T> = WatchEvent<T> | { type: 'ERROR'; status: unknown } | { type: 'UNREADABLE'; fact: string };

/** Reads one line of a watch. An object without name or resourceVersion is unreadable: the watch could not be resumed after it. */
export function readWatchEvent<T extends KubeObject>(line: unknown): WatchLine<T> {
  if (!isRecord(line)) return { type: 'UNREADABLE', fact: 'event is no object' };
  const { type, object } = line;
  if (type === 'ERROR') return { type, status: object };
  if (type === 'BOOKMARK') return readBookmark(object);
  if (type !== 'ADDED' && type !== 'MODIFIED' && type !== 'DELETED') return { type: 'UNREADABLE', fact: 'event type unknown' };
  if (!isObject<T>(object) || typeof object.metadata.resourceVersion !== 'string')
    return { type: 'UNREADABLE', fact: 'event without object' };
  return { type, object };
}

/** KEP-3157: the bookmark that ends the initial events carries this annotation, value `"true"`. */
const INITIAL_EVENTS_END = 'k8s.io/initial-events-end';

function readBookmark<T>(object: unknown): WatchLine<T> {
  const metadata = isRecord(object) && isRecord(object['metadata']) ? object['metadata'] : {};
  const { resourceVersion, annotations } = metadata;
  if (typeof resourceVersion !== 'string') return { type: 'UNREADABLE', fact: 'bookmark without resourceVersion' };
  return { type: 'BOOKMARK', resourceVersion, initialEventsEnd: isRecord(annotations) && annotations[INITIAL_EVENTS_END] === 'true' };
}
