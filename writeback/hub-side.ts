import { WRITEBACK_FIELD_MANAGER } from '#api/field-managers.ts';
import { SLICE_PROJECTION } from '#api/keys.ts';
import { ENDPOINT_SLICES, NAMESPACES } from '#api/resources.ts';
import type { Client } from '#kube/client.ts';
import type { Log } from '#kube/log.ts';
import { Reflector, type ReflectorPace } from '#kube/reflector.ts';
import { PublishedIndex } from '#mirror/published-index.ts';
import { ReducedStore } from '#mirror/reduced-store.ts';
import { CellReports } from '#writeback/cell-reports.ts';
import { describeSlice } from '#writeback/describe-slice.ts';
import { type NamespaceRouting, reduceNamespace } from '#mirror/namespace-routing.ts';

/** What all cells share: the hub's copies and its namespaces, each watched once. */
export type HubSide = {
  client: Client;
  slices: PublishedIndex;
  namespaces: ReducedStore<NamespaceRouting>;
  /** Run by whoever knows the cells. */
  reports: CellReports;
  /** Watches slices and namespaces until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
};

/** Who hears of the hub's namespaces that appeared, went or changed their routing, and of reports that an operator changed. */
export type HubListener = { namespaceChanged: (name: string) => void; reportChanged: (cell: string) => void };

/** Prepares to watch the hub. */
export function createHubSide(options: { client: Client; pace: ReflectorPace; log: Log } & HubListener): HubSide {
  const { client, pace, log } = options;
  const slices = new PublishedIndex({ fieldManager: WRITEBACK_FIELD_MANAGER, describe: describeSlice });
  const namespaces = new ReducedStore({ reduce: reduceNamespace, changed: options.namespaceChanged });
  const watched = { client, ...pace, log };
  const reflectors = [
    new Reflector({ ...watched, resource: ENDPOINT_SLICES, labelSelector: `${SLICE_PROJECTION}=true`, handler: slices.handler }),
    new Reflector({ ...watched, resource: NAMESPACES, handler: namespaces.handler }),
  ];
  const reports = new CellReports({ hub: client, pace, log, changed: options.reportChanged });
  return {
    ...{ client, slices, namespaces, reports },
    run: async (signal) => void (await Promise.all(reflectors.map((reflector) => reflector.run(signal)))),
  };
}
