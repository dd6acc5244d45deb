import { WRITEBACK_FIELD_MANAGER } from '#api/field-managers.ts';
import type { KubeObject } from '#api/objects.ts';
import { isBoundTo } from '#e2e/simulation/world/binding-rule.ts';
import { marksOf } from '#e2e/simulation/world/fate.ts';
import type { Knowledge } from '#e2e/simulation/world/knowledge.ts';
import { bodyOf, type Cluster, type SimulatedCell } from '#e2e/simulation/world/world.ts';

/*
 * Invariants 2, 3 and 5: what is published is a source of a cell as it once was, under a name that was free or its own.
 */

/** A name that was found free is taken so for as long as a write to it waits for its turn. */
const FREE_GOOD_MS = 5_000;

/** Reports a write that made `after` of what stood there, and must not have. `sentMs`: when it left the service. */
export function judgePublication(
  before: KubeObject | undefined,
  after: KubeObject,
  { sentMs, ...known }: Omit<Knowledge, 'guardOf'> & { sentMs: number },
): void {
  const { world, reports } = known;
  const { namespace = '', name } = after.metadata;
  const fail = (invariant: number, fact: string) => world.violate(invariant, `PATCH ${namespace}/${name.slice(0, 40)}: ${fact}`);
  const marks = marksOf(after);
  const owner = marks && world.clusters().find(({ cluster }) => cluster.uid === marks.clusterUid);
  if (!marks || !owner) return fail(3, 'the copy does not say whose it is');
  if (before && !isSameCopy(before, { ...marks, cell: owner.cell }, known) && !hasCrossed(before, sentMs, known))
    return fail(3, 'it was somebody else’s');
  const sourceUid = after.metadata.annotations?.['federation.datumapis.com/source-uid'] ?? '';
  const source = owner.cluster.ledger.get(sourceUid);
  if (knewReports(owner.cell, known) && !isBoundTo(owner.cell, marks.clusterUid, { world, told: reports, sentMs }))
    return fail(3, 'it comes from a cluster that its cell was never bound to');
  // A name that led to another cluster and back again before the cell was asked who it is: nobody can tell afterwards.
  const isBack = world.clusterOf(owner.cell) === owner.cluster;
  if (isBack && owner.cell.clusters.some(({ ledger }) => ledger !== owner.cluster.ledger && ledger.has(sourceUid))) return;
  if (!source) return fail(5, 'no such source was ever there');
  if (!source.native) return fail(5, 'a copy was published again');
  if (source.key !== `${namespace}/${marks.source}` || !source.bodies.has(bodyOf(after))) fail(2, 'its source never was like that');
}

/** A hub that did not serve reports when the run of the service bound the cell had recorded nothing, as far as that could tell. */
function knewReports(cell: SimulatedCell, { looks, reports }: Pick<Knowledge, 'looks' | 'reports'>): boolean {
  const [first] = looks.identitiesOf(cell);
  return first !== undefined && reports.completeAtMs !== undefined && reports.completeAtMs <= first.ms;
}

/**
 * Whose copies a cell may find under the names of its own: those of clusters that its name has stood for. Two cells at one location that
 * make one copy at the same moment are not told apart by their field manager: no promise is made there yet. One that has moved on may
 * still be there, as far as the run knows.
 */
function clustersAt(cell: SimulatedCell, location: string, { world, looks }: Pick<Knowledge, 'world' | 'looks'>): Cluster[] {
  const alike = world.cells.filter((each) => each === cell || looks.wasAt(each, location));
  return alike.flatMap(({ clusters }) => clusters);
}

/** Another run, which knows of another cell at that location, has just published there: this one had found the name free. */
function hasCrossed(before: KubeObject, sentMs: number, { looks }: Pick<Knowledge, 'looks'>): boolean {
  const { namespace = '', name } = before.metadata;
  const freeMs = looks.freeMs({ namespace, name }, sentMs);
  return marksOf(before) !== undefined && freeMs !== undefined && freeMs >= sentMs - FREE_GOOD_MS;
}

function isSameCopy(
  { metadata: { labels = {}, annotations = {}, managedFields = [] } }: KubeObject,
  { location, source, cell }: { location: string; source: string; cell: SimulatedCell },
  known: Pick<Knowledge, 'world' | 'looks'>,
): boolean {
  const clusterUid = annotations['federation.datumapis.com/source-cluster-uid'];
  const clusters = clustersAt(cell, location, known);
  const held = annotations['networking.datumapis.com/vpc-endpointslice-source-name'];
  const isMarked =
    labels['networking.datumapis.com/vpc-endpointslice-projection'] === 'true' && labels['networking.datumapis.com/location'] === location;
  // An edit of its labels may cross a write that was on its way: that it is the very object is all that can be known then.
  const wasOurs = managedFields.some(({ manager }) => manager === WRITEBACK_FIELD_MANAGER);
  return (
    (isMarked || wasOurs) &&
    (held === undefined || held === source) &&
    (clusterUid === undefined || clusters.some(({ uid }) => uid === clusterUid))
  );
}
