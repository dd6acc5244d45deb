import { WRITEBACK_FIELD_MANAGER } from '#api/field-managers.ts';
import type { KubeObject } from '#api/objects.ts';
import { isRecord } from '#kube/objects.ts';
import type { ApiRequest, ApiResponse, Transport } from '#kube/transport.ts';
import { count } from '#e2e/simulation/network/link.ts';
import { EventJudge, isEventPath } from '#e2e/simulation/world/event-judge.ts';
import type { Hears } from '#e2e/simulation/network/overhear.ts';
import { GuardRule } from '#e2e/simulation/world/guard-rule.ts';
import { type Look, Looks, type SliceName } from '#e2e/simulation/world/looks.ts';
import { ToldCopies } from '#e2e/simulation/world/told-copies.ts';
import { ToldReports } from '#e2e/simulation/world/told-reports.ts';
import { isBoundTo, judgeReport } from '#e2e/simulation/world/binding-rule.ts';
import { sliceAddress, verbOf } from '#e2e/simulation/world/requests.ts';
import { copyName, marksOf } from '#e2e/simulation/world/fate.ts';
import { bodyOf, type Cluster, type SimulatedCell, type World } from '#e2e/simulation/world/world.ts';

/** A look at a source is good for one deletion that leaves within a minute (docs/guarantees.md, 1). */
const LOOK_GOOD_MS = 60_000;
/** A name that was found free is taken so for as long as a write to it waits for its turn. */
const FREE_GOOD_MS = 5_000;

/**
 * Watches what one run of the service does at the servers' doors, and holds each request against the invariants of design
 * section 11: nothing is deleted without proof, nothing foreign is touched, no cell is written.
 */
export class Judge {
  readonly #world: World;
  readonly #events: EventJudge;
  readonly #looks: Looks;
  readonly #copies: ToldCopies;
  readonly #reports: ToldReports;
  readonly #guards = new Map<string, GuardRule>();

  constructor(world: World) {
    this.#world = world;
    this.#events = new EventJudge(world);
    this.#looks = new Looks(world);
    this.#copies = new ToldCopies(world);
    this.#reports = new ToldReports(() => world.clock.monotonicMs());
  }

  /** Hears what is read of the hub's copies and reports. */
  readonly hearsHub: Hears = ({ path }) => {
    if (path.endsWith('/endpointslices')) return this.#copies.hear;
    return path.endsWith('/cellreports') ? this.#reports.hear : undefined;
  };

  /** Hears what is read of a cell's slices. */
  hearsCell(cell: SimulatedCell): Hears {
    const { hear } = this.#guardOf(cell);
    return ({ path }) => (path.endsWith('/endpointslices') ? hear : undefined);
  }

  /** The run could not write an Event. */
  eventFailed(): void {
    this.#events.failed();
  }

  /** What a request to a cell is answered. */
  async atCell(cell: SimulatedCell, request: ApiRequest): Promise<ApiResponse> {
    const cluster = this.#world.clusterOf(cell);
    count(this.#world.operations, `cell ${verbOf(request)}`);
    if (request.method !== 'GET') this.#world.violate(4, `${request.method} ${request.path} on ${cell.name}`);
    const seen = this.#looks.atCell(cell, cluster, request);
    if (seen) this.#guardOf(cell).looked(`${seen.namespace}/${seen.name}`);
    return cluster.server.connect().send(request);
  }

  /** What a request to the hub is answered. `sentMs`: when it left the service. */
  async atHub(hub: Transport, request: ApiRequest, sentMs: number): Promise<ApiResponse> {
    count(this.#world.operations, `hub ${verbOf(request)}`);
    const address = sliceAddress(request.path);
    if (request.method === 'GET') this.#looks.atHub(request);
    if (request.method === 'GET' || request.query?.['dryRun'] === 'All') return hub.send(request);
    if (isEventPath(request.path)) return this.#atEvents(hub, request);
    if (!address) {
      if (!/\/cellreports(\/|$)/.test(request.path)) this.#world.violate(3, `${request.method} ${request.path} on the hub`);
      if (request.path.endsWith('/status')) this.#events.reported(request.path.split('/').at(-2) ?? '', request);
      return judgeReport(request, { world: this.#world, told: this.#reports, sentMs, send: () => hub.send(request) });
    }
    this.#world.writes += 1;
    const before = this.#world.hub.at(address);
    if (request.method === 'DELETE' && before) this.#judgeDelete(before, request, sentMs);
    const answer = await hub.send(request);
    const after = this.#world.hub.at(address);
    this.#world.tell(
      `${request.method} ${address.namespace}/${address.name.slice(0, 40)}: ${answer.status}${after === before ? '' : ', changed'}`,
    );
    if (request.method !== 'DELETE' && after && after !== before) this.#judgeWrite(before, after, sentMs);
    return answer;
  }

  async #atEvents(hub: Transport, request: ApiRequest): Promise<ApiResponse> {
    const answer = await hub.send(request);
    this.#events.note(request, answer.status);
    return answer;
  }

  #judgeDelete(held: KubeObject, request: ApiRequest, sentMs: number): void {
    const { namespace = '', name, uid, resourceVersion } = held.metadata;
    const fail = (invariant: number, fact: string) => this.#world.violate(invariant, `DELETE ${namespace}/${name.slice(0, 40)}: ${fact}`);
    const options: unknown = JSON.parse(request.body ?? 'null');
    const asked = isRecord(options) && isRecord(options['preconditions']) ? options['preconditions'] : {};
    if (asked['uid'] === undefined || asked['resourceVersion'] === undefined) return fail(3, 'no preconditions');
    if (asked['uid'] !== uid || asked['resourceVersion'] !== resourceVersion) return;
    const marks = marksOf(held);
    const owner = marks && this.#world.clusters().find(({ cluster }) => cluster.uid === marks.clusterUid);
    if (!marks || !owner) return fail(3, 'not a copy of ours');
    const obstacle = this.#obstacle(held, { ...owner, ...marks, sentMs });
    if (obstacle !== undefined) fail(1, obstacle);
  }

  /** Why this copy may not be deleted; undefined when it may. */
  #obstacle(
    held: KubeObject,
    { cell, cluster, source, sentMs }: { cell: SimulatedCell; cluster: Cluster; source: string; sentMs: number },
  ): string | undefined {
    const { namespace = '', name } = held.metadata;
    const look = this.#looksAt(cell, cluster, { namespace, name: source }).findLast(({ ms }) => ms <= sentMs);
    const isFresh = look !== undefined && look.ms >= sentMs - LOOK_GOOD_MS;
    const key = `${namespace}/${source}`;
    // A cluster that the name was bound to anew may have the source in another form.
    const isOfAnotherForm = cell.clusters.some((each) => wasEverOfAnotherType(each, key, held));
    const isBack = look !== undefined && isOfAnotherForm && this.#guardOf(cell).isShownSince(key, look.ms);
    if (isFresh && look.leaves && !isBack) {
      const copy = { location: marksOf(held)?.location ?? '', source: key };
      const isProven = look.absent ? this.#guardOf(cell).obstacle(copy, { fromMs: look.ms, toMs: sentMs }) : undefined;
      return isProven ?? this.#identityObstacle(cell, look, sentMs);
    }
    if (isOfAnotherForm) return undefined;
    const places = isFresh ? this.#looks.placesOf(cell, { fromMs: look.ms, toMs: sentMs }) : [];
    const rightNames = places.map((location) => copyName(location, source)).filter((rightName) => rightName !== name);
    if (look && rightNames.length > 0) {
      const isUp = rightNames.some((rightName) => (this.#looks.foundMs({ namespace, name: rightName }) ?? -Infinity) >= look.ms);
      return isUp ? undefined : 'it stands in the wrong place, and nobody has found the right one up';
    }
    return isFresh ? 'its source is there' : 'nobody has looked at its source';
  }

  #guardOf(cell: SimulatedCell): GuardRule {
    const { name } = cell;
    const known = this.#guards.get(name);
    if (known) return known;
    const rule = new GuardRule({ world: this.#world, cell, told: this.#copies, isHeld: () => this.#reports.holds(name) });
    this.#guards.set(name, rule);
    return rule;
  }

  /** The looks at the source, in order, in the copy's own cluster, or in the one that an operator has bound its name to since. */
  #looksAt(cell: SimulatedCell, cluster: Cluster, source: SliceName): Look[] {
    // Just after an operator's act the binding is known to the service, and not recorded yet.
    const told = this.#reports.boundUid(cell.name);
    const boundUids = told === undefined ? this.#looks.identitiesOf(cell).map(({ uid }) => uid) : [told];
    const bound = cell.clusters.filter(({ uid }) => uid === cluster.uid || boundUids.includes(uid));
    return this.#looks.atSource(
      bound.map(({ uid }) => uid),
      source,
    );
  }

  /** A hub that did not serve reports when the run of the service bound the cell had recorded nothing, as far as that could tell. */
  #knewReports(cell: SimulatedCell): boolean {
    const [first] = this.#looks.identitiesOf(cell);
    return first !== undefined && this.#reports.completeAtMs !== undefined && this.#reports.completeAtMs <= first.ms;
  }

  #identityObstacle(cell: SimulatedCell, look: Look, sentMs: number): string | undefined {
    const answers = this.#looks.identitiesOf(cell).filter(({ ms }) => ms >= look.ms && ms <= sentMs);
    if (answers.length === 0) return 'the cell was not asked who it is';
    // A later answer of another cluster may not have come yet when this was sent.
    return answers.some(({ uid }) => uid === look.uid) ? undefined : 'another cluster answered';
  }

  #judgeWrite(before: KubeObject | undefined, after: KubeObject, sentMs: number): void {
    const { namespace = '', name } = after.metadata;
    const fail = (invariant: number, fact: string) => this.#world.violate(invariant, `PATCH ${namespace}/${name.slice(0, 40)}: ${fact}`);
    const marks = marksOf(after);
    const owner = marks && this.#world.clusters().find(({ cluster }) => cluster.uid === marks.clusterUid);
    if (!marks || !owner) return fail(3, 'the copy does not say whose it is');
    if (before && !this.#isSameCopy(before, { ...marks, cell: owner.cell }) && !this.#hasCrossed(before, sentMs))
      return fail(3, 'it was somebody else’s');
    const sourceUid = after.metadata.annotations?.['federation.datumapis.com/source-uid'] ?? '';
    const source = owner.cluster.ledger.get(sourceUid);
    if (this.#knewReports(owner.cell) && !isBoundTo(owner.cell, marks.clusterUid, { world: this.#world, told: this.#reports, sentMs }))
      return fail(3, 'it comes from a cluster that its cell was never bound to');
    // A name that led to another cluster and back again before the cell was asked who it is: nobody can tell afterwards.
    const isBack = this.#world.clusterOf(owner.cell) === owner.cluster;
    if (isBack && owner.cell.clusters.some(({ ledger }) => ledger !== owner.cluster.ledger && ledger.has(sourceUid))) return;
    if (!source) return fail(5, 'no such source was ever there');
    if (!source.native) return fail(5, 'a copy was published again');
    if (source.key !== `${namespace}/${marks.source}` || !source.bodies.has(bodyOf(after))) fail(2, 'its source never was like that');
  }

  /**
   * Whose copies a cell may find under the names of its own: those of clusters that its name has stood for. Two cells at one location that
   * make one copy at the same moment are not told apart by their field manager: no promise is made there yet. One that has moved on may
   * still be there, as far as the run knows.
   */
  #clustersAt(cell: SimulatedCell, location: string): Cluster[] {
    const alike = this.#world.cells.filter((each) => each === cell || this.#looks.wasAt(each, location));
    return alike.flatMap(({ clusters }) => clusters);
  }

  /** Another run, which knows of another cell at that location, has just published there: this one had found the name free. */
  #hasCrossed(before: KubeObject, sentMs: number): boolean {
    const { namespace = '', name } = before.metadata;
    const freeMs = this.#looks.freeMs({ namespace, name });
    return marksOf(before) !== undefined && freeMs !== undefined && freeMs >= sentMs - FREE_GOOD_MS;
  }

  #isSameCopy(
    { metadata: { labels = {}, annotations = {}, managedFields = [] } }: KubeObject,
    { location, source, cell }: { location: string; source: string; cell: SimulatedCell },
  ): boolean {
    const clusterUid = annotations['federation.datumapis.com/source-cluster-uid'];
    const clusters = this.#clustersAt(cell, location);
    const held = annotations['networking.datumapis.com/vpc-endpointslice-source-name'];
    const isMarked =
      labels['networking.datumapis.com/vpc-endpointslice-projection'] === 'true' &&
      labels['networking.datumapis.com/location'] === location;
    // An edit of its labels may cross a write that was on its way: that it is the very object is all that can be known then.
    const wasOurs = managedFields.some(({ manager }) => manager === WRITEBACK_FIELD_MANAGER);
    return (
      (isMarked || wasOurs) &&
      (held === undefined || held === source) &&
      (clusterUid === undefined || clusters.some(({ uid }) => uid === clusterUid))
    );
  }
}

/** What is immutable only changes by a new object: the one legitimate deletion of a copy whose source is there. */
function wasEverOfAnotherType({ ledger }: Cluster, key: string, held: KubeObject): boolean {
  const bodies = [...ledger.values()].filter((entry) => entry.key === key).flatMap((entry) => [...entry.bodies]);
  return bodies.some((body) => !body.startsWith(`["${String(held['addressType'])}"`));
}
