import type { KubeObject } from '#api/objects.ts';
import { isRecord } from '#kube/objects.ts';
import type { ApiRequest } from '#kube/transport.ts';
import { copyName, marksOf } from '#e2e/simulation/world/fate.ts';
import type { Knowledge } from '#e2e/simulation/world/knowledge.ts';
import type { Look, SliceName } from '#e2e/simulation/world/looks.ts';
import type { Cluster, SimulatedCell } from '#e2e/simulation/world/world.ts';

/*
 * Invariant 1: no copy is deleted without proof (contract section 5). A look at its source, fresh, in the cluster that it came from.
 */

/** A look at a source is good for one deletion that leaves within a minute (docs/guarantees.md, 1). */
const LOOK_GOOD_MS = 60_000;

/** A copy that is about to go, and whose it is. */
type Doomed = { held: KubeObject; cell: SimulatedCell; cluster: Cluster; source: SliceName; sentMs: number };

/** Reports a deletion of what the hub holds that must not be. `sentMs`: when it left the service. */
export function judgeDeletion(held: KubeObject, request: ApiRequest, { sentMs, ...known }: Knowledge & { sentMs: number }): void {
  const { world } = known;
  const { namespace = '', name, uid, resourceVersion } = held.metadata;
  const fail = (invariant: number, fact: string) => world.violate(invariant, `DELETE ${namespace}/${name.slice(0, 40)}: ${fact}`);
  const asked = preconditionsOf(request);
  if (asked['uid'] === undefined || asked['resourceVersion'] === undefined) return fail(3, 'no preconditions');
  if (asked['uid'] !== uid || asked['resourceVersion'] !== resourceVersion) return;
  const marks = marksOf(held);
  const owner = marks && world.clusters().find(({ cluster }) => cluster.uid === marks.clusterUid);
  if (!marks || !owner) return fail(3, 'not a copy of ours');
  const obstacle = obstacleOf({ held, ...owner, source: { namespace, name: marks.source }, sentMs }, known);
  if (obstacle !== undefined) fail(1, obstacle);
}

function preconditionsOf({ body }: ApiRequest): Record<string, unknown> {
  const options: unknown = JSON.parse(body ?? 'null');
  return isRecord(options) && isRecord(options['preconditions']) ? options['preconditions'] : {};
}

/** Why this copy may not be deleted; undefined when it may. */
function obstacleOf(doomed: Doomed, known: Knowledge): string | undefined {
  const { held, cell, source, sentMs } = doomed;
  const look = looksAt(doomed, known).findLast(({ ms }) => ms <= sentMs);
  const key = `${source.namespace}/${source.name}`;
  // A cluster that the name was bound to anew may have the source in another form.
  const isOfAnotherForm = cell.clusters.some((each) => wasEverOfAnotherType(each, key, held));
  const isBack = look !== undefined && isOfAnotherForm && known.guardOf(cell).isShownSince(key, look.ms);
  if (look?.leaves && isFresh(look, sentMs) && !isBack) {
    const copy = { location: marksOf(held)?.location ?? '', source: key };
    const disbelief = look.absent ? known.guardOf(cell).obstacle(copy, { fromMs: look.ms, toMs: sentMs }) : undefined;
    return disbelief ?? identityObstacle(look, doomed, known);
  }
  if (isOfAnotherForm) return undefined;
  return placeObstacle(look, doomed, known);
}

/** A copy in the wrong place may go once the right one was found up; where it stands rightly, its source would have to leave. */
function placeObstacle(look: Look | undefined, { held, cell, source, sentMs }: Doomed, { looks }: Knowledge): string | undefined {
  const { namespace, name } = source;
  const places = isFresh(look, sentMs) ? looks.placesOf(cell, { fromMs: look.ms, toMs: sentMs }) : [];
  const rightNames = places.map((location) => copyName(location, name)).filter((rightName) => rightName !== held.metadata.name);
  if (look && rightNames.length > 0) {
    const isUp = rightNames.some((rightName) => (looks.foundMs({ namespace, name: rightName }) ?? -Infinity) >= look.ms);
    return isUp ? undefined : 'it stands in the wrong place, and nobody has found the right one up';
  }
  return isFresh(look, sentMs) ? 'its source is there' : 'nobody has looked at its source';
}

function isFresh(look: Look | undefined, sentMs: number): look is Look {
  return look !== undefined && look.ms >= sentMs - LOOK_GOOD_MS;
}

/** The looks at the source, in order, in the copy's own cluster, or in the one that an operator has bound its name to since. */
function looksAt({ cell, cluster, source, sentMs }: Doomed, { looks, reports }: Knowledge): Look[] {
  // Just after an operator's act the binding is known to the service, and not recorded yet.
  const told = [reports.boundUid(cell.name, sentMs), reports.boundUid(cell.name)];
  const boundUids = told.includes(undefined) ? [...told, ...looks.identitiesOf(cell).map(({ uid }) => uid)] : told;
  const bound = cell.clusters.filter(({ uid }) => uid === cluster.uid || boundUids.includes(uid));
  return looks.atSource(
    bound.map(({ uid }) => uid),
    source,
  );
}

function identityObstacle(look: Look, { cell, sentMs }: Doomed, { looks }: Knowledge): string | undefined {
  const answers = looks.identitiesOf(cell).filter(({ ms }) => ms >= look.ms && ms <= sentMs);
  if (answers.length === 0) return 'the cell was not asked who it is';
  // A later answer of another cluster may not have come yet when this was sent.
  return answers.some(({ uid }) => uid === look.uid) ? undefined : 'another cluster answered';
}

/** What is immutable only changes by a new object: the one legitimate deletion of a copy whose source is there. */
function wasEverOfAnotherType({ ledger }: Cluster, key: string, held: KubeObject): boolean {
  const bodies = [...ledger.values()].filter((entry) => entry.key === key).flatMap((entry) => [...entry.bodies]);
  return bodies.some((body) => !body.startsWith(`["${String(held['addressType'])}"`));
}
