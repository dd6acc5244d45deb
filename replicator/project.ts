import { NAMESPACES } from '#api/resources.ts';
import type { KubeObject } from '#api/objects.ts';
import { untilAborted } from '#kube/aborted.ts';
import type { Client } from '#kube/client.ts';
import type { Log } from '#kube/log.ts';
import { Reflector } from '#kube/reflector.ts';
import { retry } from '#kube/retry.ts';
import { ClusterIdentity } from '#mirror/cluster-identity.ts';
import { claimOrGiveWay } from '#mirror/give-way.ts';
import type { IdentityClaims } from '#mirror/identity-claims.ts';
import type { MirrorMetrics } from '#mirror/metrics.ts';
import { Mirror, type MirrorSettings } from '#mirror/mirror.ts';
import type { NamespaceRouting } from '#mirror/namespace-routing.ts';
import { reflectorPace } from '#mirror/reflector-pace.ts';
import { ReducedStore } from '#mirror/reduced-store.ts';
import { keepHubNamespaces, type NamespaceKeeper } from '#replicator/keep-hub-namespaces.ts';
import type { KindSide } from '#replicator/kind-side.ts';
import { objectRules } from '#replicator/object-rules.ts';
import { type ProjectNamespace, reduceProjectNamespace } from '#replicator/project-namespace.ts';
import { controllerName } from '#replicator/replicated-kind.ts';

/** A project as configured. Its name is what is encoded into the upstream-cluster-name label. */
export type ProjectTarget = { name: string; kubeconfig: string; context?: string };

/** How a project stands. */
export type ProjectStatus = {
  name: string;
  phase: 'connecting' | 'listing' | 'mirroring';
  /** What cannot be observed, or what is held and how often, with the controller: `replicator.network: NameTaken (2)`. */
  waitingFor: string[];
  /** Seconds since the project last said anything. */
  silenceSeconds?: number;
};

/** What a project's work needs from around it. */
export type ProjectOptions = {
  target: ProjectTarget;
  hub: Client;
  hubNamespaces: ReducedStore<NamespaceRouting>;
  kinds: readonly KindSide[];
  claims: IdentityClaims;
  open: (project: ProjectTarget, log: Log) => Promise<Client>;
  settings: MirrorSettings;
  metrics: MirrorMetrics;
  log: Log;
};

/** The lifetime of one project's replication: connect, bind its identity, know its namespaces, mirror each kind. */
export class Project {
  readonly #options: ProjectOptions;
  readonly #log: Log;
  readonly #mirrors = new Map<string, Mirror<KubeObject>>();
  #keeper: NamespaceKeeper | undefined;
  #namespaces: ReducedStore<ProjectNamespace> | undefined;
  #connected = false;

  constructor(options: ProjectOptions) {
    this.#options = options;
    this.#log = options.log.child({ project: options.target.name });
  }

  /** Works for the project until the signal aborts, and resolves when its writes in flight have ended. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const bindAnew = new AbortController();
      await this.#connect(AbortSignal.any([signal, bindAnew.signal]), bindAnew);
      this.#options.claims.release(this.#options.target.name);
    }
  }

  async #connect(signal: AbortSignal, bindAnew: AbortController): Promise<void> {
    const { target, open, hub } = this.#options;
    const pace = { signal, log: this.#log, clock: hub.clock, random: hub.random };
    const project = await retry('Cannot open the project', () => open(target, this.#log), pace);
    if (!project) return;
    const identity = new ClusterIdentity(project);
    const clusterUid = await retry('Cannot bind the identity of the project', () => this.#bind({ identity, signal, bindAnew }), pace);
    void identity.untilReturned(signal).then(() => bindAnew.abort());
    if (clusterUid !== undefined) await this.#replicate({ project: identity.client, identity, clusterUid }, signal);
    await project.transport.close();
  }

  /** Gives way to another name that stands for the same cluster, and looks again whether that one has left. */
  async #bind({
    identity,
    signal,
    bindAnew,
  }: {
    identity: ClusterIdentity;
    signal: AbortSignal;
    bindAnew: AbortController;
  }): Promise<string> {
    const { target, claims, hub } = this.#options;
    const uid = await identity.bind(signal);
    const bound = { claims, name: target.name, uid };
    const owner = claimOrGiveWay(identity, { ...bound, clock: hub.clock, signal, bindAnew });
    if (owner === target.name) return uid;
    this.#log.error({ reason: 'IdentityFenced', name: owner }, 'The project is fenced: another name stands for the same cluster');
    return uid;
  }

  /** The hub's namespace of this name appeared, went or changed its labels. */
  hubNamespaceChanged(hubName: string): void {
    const namespace = this.#keeper?.hubNamespaceChanged(hubName);
    for (const mirror of namespace === undefined ? [] : this.#mirrors.values()) mirror.wake(namespace);
  }

  /** How the project stands. */
  get status(): ProjectStatus {
    const { name } = this.#options.target;
    if (!this.#connected) return { name, phase: 'connecting', waitingFor: ['ProjectUnreachable'] };
    const mirrors = [...this.#mirrors.values()];
    const silences = mirrors.map((mirror) => mirror.reading().silenceSeconds).filter((silence) => silence !== undefined);
    const listed = mirrors.length === this.#options.kinds.length && mirrors.every((mirror) => mirror.listed);
    return {
      ...{ name, phase: listed ? 'mirroring' : 'listing', waitingFor: [...this.#unobserved(), ...this.#held()] },
      ...(silences.length > 0 && { silenceSeconds: Math.max(...silences) }),
    };
  }

  /** What cannot be observed, on the hub or in the project, and why. */
  *#unobserved(): Generator<string> {
    if (this.#namespaces?.missing !== undefined) yield `replicator.namespace: ${this.#namespaces.missing}`;
    for (const { kind, served } of this.#options.kinds) if (!served) yield `${controllerName(kind)}: NotServed`;
    for (const [controller, { failure }] of this.#mirrors) if (failure !== undefined) yield `${controller}: ${failure}`;
  }

  *#held(): Generator<string> {
    for (const [controller, mirror] of this.#mirrors)
      for (const [reason, count] of Object.entries(mirror.reading().held)) yield `${controller}: ${reason} (${count})`;
  }

  async #replicate(plane: { project: Client; identity: ClusterIdentity; clusterUid: string }, signal: AbortSignal): Promise<void> {
    const { settings, kinds } = this.#options;
    const listed = Promise.withResolvers<void>();
    const namespaces: ReducedStore<ProjectNamespace> = new ReducedStore({
      reduce: reduceProjectNamespace,
      changed: (namespace) => this.#namespaceChanged(namespace),
      settled: () => listed.resolve(),
    });
    this.#namespaces = namespaces;
    const watched = {
      client: plane.project,
      resource: NAMESPACES,
      handler: namespaces.handler,
      ...reflectorPace(settings),
      log: this.#log,
    };
    this.#keeper = keepHubNamespaces({ ...this.#options, ...plane, projectNamespaces: namespaces, log: this.#log });
    this.#connected = true;
    // Without its namespace no object has a place on the hub: every copy would seem to stand in the wrong one.
    const kindsWork = Promise.race([listed.promise, untilAborted(signal)]).then(() =>
      Promise.all(kinds.map((side) => this.#mirrorKind({ ...plane, side, namespaces }, signal))),
    );
    await Promise.all([new Reflector(watched).run(signal), this.#keeper.run(signal), kindsWork]);
  }

  async #mirrorKind(
    plane: { project: Client; identity: ClusterIdentity; clusterUid: string; side: KindSide; namespaces: ReducedStore<ProjectNamespace> },
    signal: AbortSignal,
  ): Promise<void> {
    const { side, project: source, namespaces: projectNamespaces } = plane;
    // A project that leaves must not wait for a kind that the hub may never serve: its successor waits for it.
    const resource = await Promise.race([side.resource, untilAborted(signal)]);
    if (!resource || signal.aborted || !this.#keeper) return;
    const { target, hub, hubNamespaces, settings, metrics } = this.#options;
    const rules = objectRules({
      ...{ kind: side.kind, resource, project: target.name, projectNamespaces, hubNamespaces },
      ...{ clusterUid: plane.clusterUid, identity: plane.identity, namespaces: this.#keeper.namespaces },
    });
    const log = this.#log.child({ controller: rules.controller, kind: side.kind.kind });
    const mirror = new Mirror({ rules, source, hub, published: side.copies, settings, metrics, log });
    this.#mirrors.set(rules.controller, mirror);
    await mirror.run(signal);
  }

  #namespaceChanged(namespace: string): void {
    this.#keeper?.projectNamespaceChanged(namespace);
    for (const mirror of this.#mirrors.values()) mirror.relocate(namespace);
  }
}
