import { WRITEBACK_FIELD_MANAGER } from '#api/field-managers.ts';
import { SLICE_PROJECTION } from '#api/keys.ts';
import { ENDPOINT_SLICES, NAMESPACES } from '#api/resources.ts';
import type { Client } from '#kube/client.ts';
import type { Log } from '#kube/log.ts';
import { Reflector } from '#kube/reflector.ts';
import { PublishedIndex } from '#mirror/published-index.ts';
import { ReducedStore } from '#mirror/reduced-store.ts';
import { describeSlice } from '#writeback/describe-slice.ts';
import { type NamespaceRouting, reduceNamespace } from '#mirror/namespace-routing.ts';

/** What all cells share: the hub's copies and its namespaces, each watched once. */
export type HubSide = {
  client: Client;
  slices: PublishedIndex;
  namespaces: ReducedStore<NamespaceRouting>;
  /** Watches until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
};

/** Prepares to watch the hub. `namespaceChanged` is called with each namespace that appeared, went or changed its routing. */
export function createHubSide(options: { client: Client; idleMs: number; log: Log; namespaceChanged: (name: string) => void }): HubSide {
  const { client, idleMs, log } = options;
  const slices = new PublishedIndex({ fieldManager: WRITEBACK_FIELD_MANAGER, describe: describeSlice });
  const namespaces = new ReducedStore({ reduce: reduceNamespace, changed: options.namespaceChanged });
  const watched = { client, idleMs, log };
  const reflectors = [
    new Reflector({ ...watched, resource: ENDPOINT_SLICES, labelSelector: `${SLICE_PROJECTION}=true`, handler: slices.handler }),
    new Reflector({ ...watched, resource: NAMESPACES, handler: namespaces.handler }),
  ];
  return {
    client,
    slices,
    namespaces,
    run: async (signal) => void (await Promise.all(reflectors.map((reflector) => reflector.run(signal)))),
  };
}
