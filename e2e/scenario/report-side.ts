import assert from 'node:assert/strict';
import type { CellReport, KubeObject } from '#api/objects.ts';
import { CELL_REPORTS, EVENTS } from '#api/resources.ts';
import { eventually } from '#e2e/eventually.ts';
import { objectsOn } from '#e2e/locations/objects-on.ts';
import { isRecord } from '#kube/objects.ts';
import type { Plane } from '#planes/plane.ts';

/** The report of one cell on a hub, as an operator sees it and writes into it. */
export type ReportSide = {
  read(): Promise<CellReport | undefined>;
  patch(patch: object): Promise<void>;
  remove(): Promise<void>;
  /** Waits until a condition says so: `False IdentityFenced`. */
  expectCondition(type: string, words: string): Promise<void>;
  /** The Events about it that are there now, in no order. */
  events(): Promise<KubeObject[]>;
  /** Waits until there are exactly these Events beside those: `Warning IdentityFenced`. */
  expectEvents(words: readonly string[], beside: readonly KubeObject[]): Promise<void>;
};

/** As in every suite that waits for delivery: a report is renewed every 15 s. */
const DEADLINE_MS = 60_000;

/** Looks at the report of the cell of that name. */
export function reportSide(hub: Plane, cell: string): ReportSide {
  const objects = objectsOn(hub.admin);
  const place = { resource: CELL_REPORTS, name: cell };
  const read = (): Promise<CellReport | undefined> => objects.read(place);
  const isAbout = ({ regarding }: KubeObject) =>
    isRecord(regarding) && regarding['kind'] === CELL_REPORTS.kind && regarding['name'] === cell;
  const events = async () => (await objects.list(EVENTS)).filter(isAbout);
  return {
    read,
    patch: (patch) => objects.patch(place, patch),
    remove: () => objects.remove(place),
    async expectCondition(type, words) {
      const look = async () => {
        const found = (await read())?.status?.conditions.find((condition) => condition.type === type);
        assert.equal(`${found?.status} ${found?.reason}`, words);
        return true;
      };
      await eventually(`${type} of ${cell} is ${words}`, look, { deadlineMs: DEADLINE_MS });
    },
    events,
    async expectEvents(words, beside) {
      const known = new Set(beside.map(({ metadata }) => metadata.name));
      const look = async () => {
        const news = (await events()).filter(({ metadata }) => !known.has(metadata.name));
        const told = news.map(({ type, reason }) => `${String(type)} ${String(reason)}`);
        assert.deepEqual(told.toSorted(), words.toSorted());
        return true;
      };
      await eventually(`${cell} has the Events ${words.join(', ')}`, look, { deadlineMs: DEADLINE_MS });
    },
  };
}
