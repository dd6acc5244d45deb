import type { ApiRequest } from '#kube/transport.ts';
import { isLeaving, isReturned, locationOf } from '#e2e/simulation/world/fate.ts';
import { sliceAddress } from '#e2e/simulation/world/requests.ts';
import type { Cluster, SimulatedCell, World } from '#e2e/simulation/world/world.ts';

/** What one read of a source found: when, in which cluster, whether its copy is to go, and whether that is because nothing was there. */
export type Look = { ms: number; uid: string; leaves: boolean; absent: boolean };

/** The namespace and the name of a slice. */
export type SliceName = { namespace: string; name: string };

/** What one run of the service has read of single objects: sources, copies, who a cell is and where. */
export class Looks {
  readonly #world: World;
  readonly #sources = new Map<string, Look[]>();
  readonly #identities = new Map<string, { ms: number; uid: string }[]>();
  readonly #places = new Map<string, { ms: number; location: string | undefined }[]>();
  readonly #locations = new Map<string, Set<string | undefined>>();
  readonly #names = new Map<string, { ms: number; isThere: boolean }[]>();

  constructor(world: World) {
    this.#world = world;
  }

  /** Takes a request to a cell, before it is answered. @returns the source that it is about and shows. */
  atCell(cell: SimulatedCell, cluster: Cluster, { path, query }: ApiRequest): SliceName | undefined {
    const ms = this.#world.clock.monotonicMs();
    const location = locationOf(cell, cluster);
    this.#locations.set(cell.name, (this.#locations.get(cell.name) ?? new Set()).add(location));
    if (path.endsWith('/servinglocations') && query?.['watch'] !== '1') append(this.#places, cell.name, { ms, location });
    if (path === '/api/v1/namespaces/kube-system') append(this.#identities, cell.name, { ms, uid: cluster.uid });
    const address = query === undefined ? sliceAddress(path) : undefined;
    if (!address) return undefined;
    const slice = cluster.server.at(address);
    const leaves = !slice || (isLeaving(slice) && !isReturned(slice));
    this.#world.tell(`looked at ${lookKey(cluster.uid, address).slice(0, 50)}: ${leaves ? 'leaves' : 'is there'}`);
    append(this.#sources, lookKey(cluster.uid, address), { ms, uid: cluster.uid, leaves, absent: !slice });
    return slice && address;
  }

  /** Takes a read of the hub, before it is answered. */
  atHub({ path }: ApiRequest): void {
    const address = sliceAddress(path);
    if (!address) return;
    append(this.#names, nameKey(address), { ms: this.#world.clock.monotonicMs(), isThere: this.#world.hub.at(address) !== undefined });
  }

  /** The looks at a source in any of these clusters, in order. */
  atSource(uids: readonly string[], source: SliceName): Look[] {
    const looks = uids.flatMap((uid) => this.#sources.get(lookKey(uid, source)) ?? []);
    return looks.toSorted((one, other) => one.ms - other.ms);
  }

  /** When the copy was last found up; undefined: never. */
  foundMs(copy: SliceName): number | undefined {
    return this.#names.get(nameKey(copy))?.findLast(({ isThere }) => isThere)?.ms;
  }

  /** When the name was found to be free, where the last read of it by then found that. */
  freeMs(copy: SliceName, byMs: number): number | undefined {
    const last = this.#names.get(nameKey(copy))?.findLast(({ ms }) => ms <= byMs);
    return last?.isThere === false ? last.ms : undefined;
  }

  /** Who the cell was each time that it was asked. */
  identitiesOf(cell: SimulatedCell): readonly { ms: number; uid: string }[] {
    return this.#identities.get(cell.name) ?? [];
  }

  /** True when that was the cell's location at any moment in which the run read anything of it. */
  wasAt(cell: SimulatedCell, location: string): boolean {
    return this.#locations.get(cell.name)?.has(location) ?? false;
  }

  /** The locations that the cell had when they were read in that time. Reads for several copies cross. */
  placesOf(cell: SimulatedCell, { fromMs, toMs }: { fromMs: number; toMs: number }): string[] {
    const reads = this.#places.get(cell.name)?.filter(({ ms }) => ms >= fromMs && ms <= toMs) ?? [];
    return reads.flatMap(({ location }) => location ?? []);
  }
}

/** Puts the value at the end of what the map holds under the key. */
export function append<T>(map: Map<string, T[]>, key: string, value: T): void {
  const known = map.get(key);
  if (known) known.push(value);
  else map.set(key, [value]);
}

function nameKey({ namespace, name }: SliceName): string {
  return `${namespace}/${name}`;
}

function lookKey(uid: string, source: SliceName): string {
  return `${uid} ${nameKey(source)}`;
}
