import { isDeepStrictEqual } from 'node:util';
import { WRITEBACK_FIELD_MANAGER } from '#api/field-managers.ts';
import type { CellReport, KubeObject } from '#api/objects.ts';
import { CELL_REPORTS, ENDPOINT_SLICES } from '#api/resources.ts';
import { bodyOf, type Cluster, type SimulatedCell, type World } from '#e2e/simulation/world/world.ts';
import { copyName, type ExpectedCopy, fateOf, isForeign, locationOf, marksOf } from '#e2e/simulation/world/fate.ts';

/** Every way in which the hub is not as the sources call for, now; empty when all is well. */
export function findDifferences(world: World): string[] {
  // A cell that is not bound yet has not begun: that nothing is missing of it says nothing.
  const unbound = world.cells.filter((cell) => world.boundUid(cell) === undefined).map(({ name }) => `${name} is not bound`);
  return [...unbound, ...missingCopies(world), ...superfluousCopies(world)];
}

/** The cells whose work goes on: bound to the cluster that is there, at a known location. */
function workingCells(world: World): { cell: SimulatedCell; cluster: Cluster; location: string }[] {
  return world.cells.flatMap((cell) => {
    const cluster = world.clusterOf(cell);
    const location = locationOf(cell, cluster);
    return location !== undefined && world.boundUid(cell) === cluster.uid && !isStillFenced(world, cell)
      ? [{ cell, cluster, location }]
      : [];
  });
}

/** A cluster that came back behind its name stays fenced until a restart or an operator's act; its report must say so. */
function isStillFenced(world: World, cell: SimulatedCell): boolean {
  if (cell.clusters.length === 1) return false;
  const report: CellReport | undefined = world.hub.at({ resource: CELL_REPORTS, name: cell.name });
  return report?.status?.conditions.some(({ type, status }) => type === 'IdentityBound' && status === 'False') ?? false;
}

function missingCopies(world: World): string[] {
  const wanted = workingCells(world).flatMap(({ cluster, location }) =>
    cluster.server.list(ENDPOINT_SLICES).flatMap(({ metadata: { namespace = '', name } }) => {
      const fate = fateOf(world, cluster, { namespace, name, location });
      const key = `${namespace}/${copyName(location, name)}`;
      return fate.kind === 'copy' ? [{ namespace, key, name: copyName(location, name), copy: fate.copy }] : [];
    }),
  );
  return wanted.flatMap(({ namespace, name, key, copy }) => {
    const held = world.hub.at({ resource: ENDPOINT_SLICES, namespace, name });
    if (held && isUnsure(held, copy)) return [];
    // Two clusters at one location may call for one name: the first to have it keeps it.
    if (held && isForeign(held, copy)) return [];
    const fact = held ? differenceOf(held, copy) : 'is missing';
    return fact === undefined ? [] : [`copy ${short(key)} ${fact}`];
  });
}

function superfluousCopies(world: World): string[] {
  return world.hub.list(ENDPOINT_SLICES).flatMap((held) => {
    const marks = marksOf(held);
    const owner = marks && workingCells(world).find(({ cluster }) => cluster.uid === marks.clusterUid);
    if (!marks || !owner) return [];
    const { namespace = '', name } = held.metadata;
    const fate = fateOf(world, owner.cluster, { namespace, name: marks.source, location: owner.location });
    const isMisplaced = name !== copyName(owner.location, marks.source);
    // Its label says another place than the right one, where it stands: somebody's edit, which makes it foreign (row 8).
    if (!isMisplaced && marks.location !== owner.location) return [];
    if (fate.kind === 'gone') return [`copy ${short(`${namespace}/${name}`)} stands though its source is gone`];
    return fate.kind === 'copy' && isMisplaced && isUp(world, owner.location, { namespace, ...marks, copy: fate.copy })
      ? [`copy ${short(`${namespace}/${name}`)} stands in the wrong place`]
      : [];
  });
}

/** A copy that has lost a mark may not be deleted, so it cannot be replaced either where its address type is another. */
function isUnsure(held: KubeObject, copy: ExpectedCopy): boolean {
  return marksOf(held) === undefined && bodyOf(held).slice(0, 7) !== copy.body.slice(0, 7);
}

/** A copy in the wrong place goes only once the right one is up, which somebody else's object can prevent. */
function isUp(
  world: World,
  location: string,
  { namespace, source, copy }: { namespace: string; source: string; copy: ExpectedCopy },
): boolean {
  const right = world.hub.at({ resource: ENDPOINT_SLICES, namespace, name: copyName(location, source) });
  return right !== undefined && !isForeign(right, copy);
}

function differenceOf(held: KubeObject, copy: ExpectedCopy): string | undefined {
  if (bodyOf(held) !== copy.body) return 'has another body';
  for (const part of ['labels', 'annotations'] as const) {
    const owned = ownedBy(held, part);
    const others = Object.keys(held.metadata[part] ?? {}).filter((key) => !(key in copy[part]) && owned.has(key));
    if (others.length > 0) return `still has ${others.join()}`;
    const shown = Object.fromEntries(Object.keys(copy[part]).map((key) => [key, held.metadata[part]?.[key]]));
    if (!isDeepStrictEqual(shown, copy[part])) return `has other ${part}`;
  }
  return held.metadata.ownerReferences ? 'has owner references' : undefined;
}

/** Keys that nobody but the write-back has a hand in. */
function ownedBy({ metadata }: KubeObject, part: 'labels' | 'annotations'): Set<string> {
  const entries = metadata.managedFields?.filter(({ manager }) => manager === WRITEBACK_FIELD_MANAGER) ?? [];
  return new Set(entries.flatMap(({ fieldsV1 }) => Object.keys(fieldsV1?.['f:metadata']?.[`f:${part}`] ?? {})).map((key) => key.slice(2)));
}

function short(key: string): string {
  return key.length > 60 ? `${key.slice(0, 60)}…` : key;
}
