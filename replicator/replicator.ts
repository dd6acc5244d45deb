import { NAMESPACES } from '#api/resources.ts';
import type { Client } from '#kube/client.ts';
import type { Log } from '#kube/log.ts';
import { Reflector } from '#kube/reflector.ts';
import { Fleet } from '#mirror/fleet.ts';
import { IdentityClaims } from '#mirror/identity-claims.ts';
import type { MirrorMetrics } from '#mirror/metrics.ts';
import { missingOnHub } from '#mirror/missing.ts';
import type { MirrorSettings } from '#mirror/mirror.ts';
import { reduceNamespace } from '#mirror/namespace-routing.ts';
import { ReducedStore } from '#mirror/reduced-store.ts';
import { reflectorPace } from '#mirror/reflector-pace.ts';
import { createKindSide, type KindSide } from '#replicator/kind-side.ts';
import { Project, type ProjectStatus, type ProjectTarget } from '#replicator/project.ts';
import type { ReplicatedKind } from '#replicator/replicated-kind.ts';

/** What the replicator needs from the command line's side. */
export type ReplicatorOptions = {
  hub: Client;
  kinds: readonly ReplicatedKind[];
  openProject: (project: ProjectTarget, log: Log) => Promise<Client>;
  settings: MirrorSettings;
  log: Log;
  metrics: MirrorMetrics;
};

/** How the replicator stands. */
export type ReplicatorStatus = {
  hubObserved: boolean;
  /** What of the hub is not observed yet. */
  waitingFor: string[];
  projects: ProjectStatus[];
};

/** The replication of every project to one hub: project objects to namespaces `ns-<uid>` (contract section 3). */
export class Replicator {
  readonly #options: ReplicatorOptions;
  readonly #kinds: KindSide[];
  readonly #projects: Fleet<ProjectTarget, Project>;
  readonly #hubNamespaces = new ReducedStore({ reduce: reduceNamespace, changed: (name) => this.#hubNamespaceChanged(name) });

  constructor(options: ReplicatorOptions) {
    const { hub, kinds, openProject: open, settings, log } = options;
    this.#options = options;
    this.#kinds = kinds.map((kind) => createKindSide({ kind, hub, pace: reflectorPace(settings), log }));
    const shared = { ...options, kinds: this.#kinds, hubNamespaces: this.#hubNamespaces, claims: new IdentityClaims(), open };
    this.#projects = new Fleet((target) => new Project({ ...shared, target }), { clock: hub.clock, log });
  }

  /** Sets which projects there are (see `mirror/fleet.ts`). */
  setProjects(targets: readonly ProjectTarget[]): void {
    this.#projects.set(targets);
  }

  /** Works until the signal aborts, and resolves when the writes in flight have ended. */
  async run(signal: AbortSignal): Promise<void> {
    const { hub: client, settings, log } = this.#options;
    const watched = { client, resource: NAMESPACES, handler: this.#hubNamespaces.handler, ...reflectorPace(settings), log };
    await Promise.all([new Reflector(watched).run(signal), ...this.#kinds.map((side) => side.run(signal)), this.#projects.run(signal)]);
  }

  /** How everything stands. The hub counts as observed once its namespaces and every kind that it serves have been listed. */
  status(): ReplicatorStatus {
    const copies = this.#kinds.filter(({ served }) => served).map((side) => [`copies of ${side.kind.kind}`, side.copies] as const);
    const waitingFor = missingOnHub({ namespaces: this.#hubNamespaces, ...Object.fromEntries(copies) });
    return { hubObserved: waitingFor.length === 0, waitingFor, projects: this.#projects.members.map((project) => project.status) };
  }

  #hubNamespaceChanged(name: string): void {
    for (const project of this.#projects.members) project.hubNamespaceChanged(name);
  }
}
