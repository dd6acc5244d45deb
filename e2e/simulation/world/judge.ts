import type { ApiRequest, ApiResponse, Transport } from '#kube/transport.ts';
import { count } from '#e2e/simulation/network/link.ts';
import { EventJudge, isEventPath } from '#e2e/simulation/world/event-judge.ts';
import type { Hears } from '#e2e/simulation/network/overhear.ts';
import { GuardRule } from '#e2e/simulation/world/guard-rule.ts';
import { Looks } from '#e2e/simulation/world/looks.ts';
import { ToldCopies } from '#e2e/simulation/world/told-copies.ts';
import { ToldReports } from '#e2e/simulation/world/told-reports.ts';
import { judgeReport } from '#e2e/simulation/world/binding-rule.ts';
import { sliceAddress, verbOf } from '#e2e/simulation/world/requests.ts';
import { judgeDeletion } from '#e2e/simulation/world/deletion-rule.ts';
import type { Knowledge } from '#e2e/simulation/world/knowledge.ts';
import { judgePublication } from '#e2e/simulation/world/publication-rule.ts';
import type { SimulatedCell, World } from '#e2e/simulation/world/world.ts';

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
    return /\/cellreports(\/[^/]+)?$/.test(path) ? this.#reports.hear : undefined;
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
    if (request.method === 'DELETE' && before) judgeDeletion(before, request, { ...this.#known, sentMs });
    const answer = await hub.send(request);
    const after = this.#world.hub.at(address);
    this.#world.tell(
      `${request.method} ${address.namespace}/${address.name.slice(0, 40)}: ${answer.status}${after === before ? '' : ', changed'}`,
    );
    if (request.method !== 'DELETE' && after && after !== before) judgePublication(before, after, { ...this.#known, sentMs });
    return answer;
  }

  get #known(): Knowledge {
    return { world: this.#world, looks: this.#looks, reports: this.#reports, guardOf: (cell) => this.#guardOf(cell) };
  }

  async #atEvents(hub: Transport, request: ApiRequest): Promise<ApiResponse> {
    const answer = await hub.send(request);
    this.#events.note(request, answer.status);
    return answer;
  }

  #guardOf(cell: SimulatedCell): GuardRule {
    const { name } = cell;
    const known = this.#guards.get(name);
    if (known) return known;
    const rule = new GuardRule({ world: this.#world, cell, told: this.#copies, isHeld: () => this.#reports.holds(name) });
    this.#guards.set(name, rule);
    return rule;
  }
}
