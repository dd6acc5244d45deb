import type { KubeObject } from '#api/objects.ts';
import { CELL_REPORTS } from '#api/resources.ts';
import { eventObject } from '#kube/event.ts';
import { shorten } from '#mirror/label-value.ts';
import type { Announcement } from '#writeback/announcements.ts';

const NAME_MAX = 200;
const HASH_LENGTH = 12;

/** The Event that tells of an announcement, regarding the cell's report. Telling the same once more has the same name. */
export function announcementEvent(
  { announced: { type, reason }, action, note, occurrence }: Announcement,
  { cell, uid, nowMs }: { cell: string; uid: string | undefined; nowMs: number },
): KubeObject {
  const seed = `${uid ?? ''}/${cell}/${occurrence}`;
  const name = shorten(`${cell}.${reason.toLowerCase()}`, { max: NAME_MAX, hashLength: HASH_LENGTH, seed });
  const regarding = { resource: CELL_REPORTS, name: cell, uid };
  return eventObject({ name, type, reason, action, note, controller: 'fedhub/writeback.cellreport', regarding }, nowMs);
}
