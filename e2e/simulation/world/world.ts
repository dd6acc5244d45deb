import { CELL_REPORTS, ENDPOINT_SLICES, NAMESPACES } from '#api/resources.ts';
import { UPSTREAM_CLUSTER_NAME, UPSTREAM_NAMESPACE } from '#api/keys.ts';
import type { KubeObject } from '#api/objects.ts';
import { ModelServer } from '#e2e/simulation/model/model-server.ts';
import type { Backup, Lost } from '#e2e/simulation/model/store.ts';
import { Link, type Tally } from '#e2e/simulation/network/link.ts';
import { Random } from '#e2e/simulation/random.ts';
import { VirtualClock } from '#e2e/simulation/virtual-clock.ts';

/** A cluster that a cell's name may stand for, with the states that it may be restored to. */
export type Cluster = { uid: string; server: ModelServer; backups: Backup[]; ledger: Ledger; lost: Lost[] };

/** Every source that a cluster ever held, by uid: its key, and each body that it had. */
export type Ledger = Map<string, { key: string; native: boolean; bodies: Set<string> }>;

/** A cell as configured, the clusters that its name has stood for, the present one last, and the way to it. */
export type SimulatedCell = {
  name: string;
  location: string | undefined;
  clusters: Cluster[];
  link: Link;
  /** What an operator last read of frozen withdrawals, and the sets of sources that one has approved. */
  read?: FrozenReading | undefined;
  approvals: Approval[];
  /** Every cluster that the hub has ever recorded for the name. */
  boundUids: Set<unknown>;
  /** How often an operator has had its name bound anew. */
  boundAnew: number;
};

/** A set of sources whose copies are frozen, as a report names it. */
export type FrozenReading = { set: string; sources: ReadonlySet<string> };

/** What an operator has approved, and whether just that was on record then. */
export type Approval = FrozenReading & { onRecord: boolean };

/** The bounds of the shrink guard (contract section 5) in a run. `confirmAfterMs` undefined: never by time. */
export type GuardBounds = { believedAbsent: number; confirmations: number; confirmAfterMs: number | undefined };

/** What was found to be wrong. */
export type Violation = { invariant: number; fact: string; atMs: number };

/** Namespaces in which everything happens. */
export const SPACES = ['ns-a', 'ns-b'];
/** Names of sources: ordinary ones, and one whose copy's name has to be cut. */
export const SOURCES = ['p1', 'p2', 'p3', 'p4', `long-${'x'.repeat(235)}`];

/** All that there is besides the service: servers, networks and time, and what was seen to go wrong. */
export class World {
  readonly clock = new VirtualClock();
  readonly hub: ModelServer;
  readonly hubLink: Link;
  readonly cells: SimulatedCell[];
  readonly guard: GuardBounds;
  readonly violations: Violation[] = [];
  readonly faults: Tally = new Map();
  readonly operations: Tally = new Map();
  readonly decisions: Tally = new Map();
  /** Writes that the hub was asked for, reports and Events not counted. */
  writes = 0;
  /** Nothing fails any more, and what was under way has had its time. */
  calm = false;
  /** Hears of everything that matters, for whoever reads a run. */
  tell: (line: string) => void = () => {};
  readonly #random: Random;
  #clusters = 0;

  constructor(seed: number) {
    this.#random = new Random(seed);
    const shape = new Random(seed + 1);
    this.hub = new ModelServer({ name: 'hub', timers: this.clock });
    this.hubLink = this.#link();
    const locations = shape.chance(0.1) ? ['ams', 'ams'] : ['ams', 'fra'];
    this.cells = ['c1', 'c2'].map((name, at) => ({
      name,
      location: shape.chance(0.85) ? locations[at] : undefined,
      clusters: [this.newCluster()],
      link: this.#link(),
      approvals: [],
      boundUids: new Set(),
      boundAnew: 0,
    }));
    this.guard = guardOf(new Random(seed + 2));
    for (const space of SPACES) putNamespace(this.hub, space);
  }

  /** Another cluster, with the usual namespaces. */
  newCluster(): Cluster {
    this.#clusters += 1;
    const server = new ModelServer({ name: `k${this.#clusters}`, timers: this.clock, version: 1_000 + 500 * this.#clusters });
    for (const space of SPACES) putNamespace(server, space);
    const uid = server.at({ resource: NAMESPACES, name: 'kube-system' })?.metadata.uid ?? '';
    return { uid, server, backups: [server.backUp()], ledger: new Map(), lost: [] };
  }

  /** The cluster behind a cell's name now. */
  clusterOf(cell: SimulatedCell): Cluster {
    const cluster = cell.clusters.at(-1);
    if (!cluster) throw new Error(`No cluster behind ${cell.name}`);
    return cluster;
  }

  /** Every cluster that there ever was, with the cell whose name it stood for. */
  clusters(): { cell: SimulatedCell; cluster: Cluster }[] {
    return this.cells.flatMap((cell) => cell.clusters.map((cluster) => ({ cell, cluster })));
  }

  /** The uid that the hub has recorded for a cell's name. */
  boundUid(cell: SimulatedCell): unknown {
    const spec = this.hub.at({ resource: CELL_REPORTS, name: cell.name })?.['spec'];
    return typeof spec === 'object' && spec !== null && 'clusterUID' in spec ? spec.clusterUID : undefined;
  }

  violate(invariant: number, fact: string): void {
    this.violations.push({ invariant, fact, atMs: this.clock.monotonicMs() });
  }

  #link(): Link {
    return new Link({ random: new Random(Math.floor(this.#random.next() * 2 ** 31)), faults: this.faults });
  }
}

/** Small, so that a few sources can be too many to miss at once. */
function guardOf(random: Random): GuardBounds {
  return {
    believedAbsent: random.integer(1, 3),
    confirmations: 3,
    confirmAfterMs: random.chance(0.75) ? 50_000 : undefined,
  };
}

/** Makes a namespace with both routing labels, or with others. */
export function putNamespace(server: ModelServer, name: string, labels: Record<string, string> = routingOf(name)): void {
  const held = server.at({ resource: NAMESPACES, name });
  server.put({ resource: NAMESPACES, name }, { ...held, metadata: { ...held?.metadata, name, labels } });
}

/** The labels that route a namespace. */
export function routingOf(name: string): Record<string, string> {
  return { [UPSTREAM_CLUSTER_NAME]: 'cluster-project', [UPSTREAM_NAMESPACE]: `of-${name}` };
}

/** Puts a slice into a cluster and into its ledger. */
export function putSource({ server, ledger }: Cluster, slice: KubeObject, { native }: { native: boolean }): void {
  const { namespace = '', name } = slice.metadata;
  const space = server.at({ resource: NAMESPACES, name: namespace });
  if (!space || space.metadata.deletionTimestamp !== undefined) return;
  const { metadata } = server.put({ resource: ENDPOINT_SLICES, namespace, name }, slice, 'producer');
  const entry = ledger.get(metadata.uid ?? '') ?? { key: `${namespace}/${name}`, native, bodies: new Set<string>() };
  ledger.set(metadata.uid ?? '', entry);
  entry.bodies.add(bodyOf(server.at({ resource: ENDPOINT_SLICES, namespace, name }) ?? slice));
}

/** What must cross byte for byte, as text. */
export function bodyOf(slice: KubeObject): string {
  const { addressType, endpoints, ports } = slice;
  return JSON.stringify([addressType, endpoints ?? null, ports ?? null]);
}
