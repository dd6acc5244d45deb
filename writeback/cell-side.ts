import type { KubeObject } from '#api/objects.ts';
import { NAMESPACES, SERVING_LOCATIONS } from '#api/resources.ts';
import type { Client } from '#kube/client.ts';
import { isApiError } from '#kube/errors.ts';
import { listPages } from '#kube/list.ts';
import type { Log } from '#kube/log.ts';
import { Reflector, type ReflectorPace } from '#kube/reflector.ts';
import type { ReflectorHandler } from '#kube/reflector-handler.ts';
import { absent, type Observation, present, unknown } from '#mirror/observation.ts';
import { ReducedStore } from '#mirror/reduced-store.ts';
import { type NamespaceRouting, reduceNamespace } from '#mirror/namespace-routing.ts';

/** What decides about a cell's slices besides the slices: its namespaces, and the locations delivered to it. */
export type CellSide = {
  namespaces: ReducedStore<NamespaceRouting>;
  /** The names of the delivered serving locations; unknown while their list has failed or not ended. */
  deliveredLocations(): Observation<string[]>;
  /** The same, read live. @throws {ApiError} when they cannot be read. */
  readLocations(signal: AbortSignal): Promise<Observation<string[]>>;
  /** Watches until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
};

/** Prepares to watch a cell. */
export function createCellSide(options: {
  cell: Client;
  pace: ReflectorPace;
  log: Log;
  namespaceChanged: (name: string) => void;
  locationsChanged: () => void;
  /** The cell shows an older state than before. */
  wentBack: () => void;
}): CellSide {
  const { cell: client, pace, log } = options;
  const namespaces = new ReducedStore({ reduce: reduceNamespace, changed: options.namespaceChanged });
  const locations = new ReducedStore({
    reduce: ({ metadata }) => metadata.name,
    changed: options.locationsChanged,
    settled: options.locationsChanged,
  });
  const watched = { client, ...pace, log };
  const reflectors = [
    new Reflector({ ...watched, resource: NAMESPACES, handler: heeding(namespaces.handler, options.wentBack) }),
    new Reflector({ ...watched, resource: SERVING_LOCATIONS, handler: heeding(locations.handler, options.wentBack) }),
  ];
  return {
    namespaces,
    deliveredLocations: () => delivered(locations),
    readLocations: (signal) => readLocations(client, { locations, signal }),
    run: async (signal) => void (await Promise.all(reflectors.map((reflector) => reflector.run(signal)))),
  };
}

/**
 * A cell that never served the kind has had nothing delivered. Once it was served, a missing kind is a failed list and no
 * more: an API that is briefly gone in an upgrade must not rename the location.
 */
function delivered(locations: ReducedStore<string>): Observation<string[]> {
  if (locations.unserved) return absent('weak');
  return locations.complete ? present(locations.values().toSorted()) : unknown('LocationUnread');
}

async function readLocations(
  client: Client,
  { locations, signal }: { locations: ReducedStore<string>; signal: AbortSignal },
): Promise<Observation<string[]>> {
  const names: string[] = [];
  try {
    for await (const { items } of listPages(client, { resource: SERVING_LOCATIONS, signal, priority: 'live' }))
      names.push(...items.map(({ metadata }) => metadata.name));
  } catch (error) {
    if (locations.unserved && isApiError(error, 'NotServed')) return absent('weak');
    throw error;
  }
  return present(names.toSorted());
}

/** The same handler, and a call where a list begins in a new epoch. One collection notices a restore before another does. */
function heeding(handler: ReflectorHandler<KubeObject>, wentBack: () => void): ReflectorHandler<KubeObject> {
  return {
    ...handler,
    listStarted: (list) => {
      if (list.wentBack) wentBack();
      handler.listStarted(list);
    },
  };
}
