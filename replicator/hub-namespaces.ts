import { REPLICATOR_FIELD_MANAGER } from '#api/field-managers.ts';
import { NAMESPACES } from '#api/resources.ts';
import type { KubeObject } from '#api/objects.ts';
import { applyObject } from '#kube/apply.ts';
import type { Client } from '#kube/client.ts';
import { isNotFound, WaitingError } from '#kube/errors.ts';
import { getObject } from '#kube/get.ts';
import type { Priority } from '#kube/gate.ts';
import { type ClusterIdentity, RECENT_MS } from '#mirror/cluster-identity.ts';
import type { Outcome } from '#mirror/mirror-context.ts';
import { type NamespaceRouting, reduceNamespace } from '#mirror/namespace-routing.ts';
import { present } from '#mirror/observation.ts';
import type { ReducedStore } from '#mirror/reduced-store.ts';
import { desiredNamespace } from '#replicator/desired-object.ts';
import type { ProjectNamespace } from '#replicator/project-namespace.ts';

type Options = { signal: AbortSignal; priority: Priority };

/** What is read to decide about hub namespaces. */
export type HubNamespacesOptions = {
  hub: Client;
  identity: Pick<ClusterIdentity, 'verify'>;
  project: string;
  projectNamespaces: ReducedStore<ProjectNamespace>;
  hubNamespaces: ReducedStore<NamespaceRouting>;
  retryIntervalMs: number;
};

/**
 * The hub namespaces of one project: each made before its first copy, kept with both routing labels, and never deleted,
 * since through Karmada that would delete the cells' namespaces with everything in them (contract section 3).
 */
export class HubNamespaces {
  readonly #options: HubNamespacesOptions;
  /** Writes under way: a hundred copies must not write their namespace a hundred times. */
  readonly #writes = new Map<string, Promise<void>>();

  constructor(options: HubNamespacesOptions) {
    this.#options = options;
  }

  /** Makes sure that the hub has the namespace for a project namespace. @throws {WaitingError} while the one it has is going. */
  async ensure(name: string, options: Options): Promise<void> {
    const desired = this.#desired(name);
    if (!desired) return;
    const held = this.#options.hubNamespaces.get(desired.metadata.name);
    if (held.kind === 'present' && held.object.terminating) {
      throw new WaitingError(
        'HubNamespaceTerminating',
        `Namespace "${desired.metadata.name}" is terminating on the hub`,
        this.#options.retryIntervalMs,
      );
    }
    if (held.kind === 'present' && holds(held.object, desired)) return;
    await this.#write(desired, options);
  }

  /** Puts the labels of an existing namespace right. In the sweep's lane the hub is asked itself, else its watch is believed. */
  async reconcile(name: string, options: Options): Promise<Outcome> {
    const desired = this.#desired(name);
    if (!desired) return { action: 'none' };
    const held = options.priority === 'sweep' ? await this.#read(desired, options) : this.#options.hubNamespaces.get(desired.metadata.name);
    if (held.kind !== 'present' || held.object.terminating || holds(held.object, desired)) return { action: 'none' };
    await this.#write(desired, options);
    return { action: 'updated' };
  }

  #desired(name: string): KubeObject | undefined {
    const { projectNamespaces, project } = this.#options;
    const namespace = projectNamespaces.get(name);
    if (namespace.kind !== 'present' || namespace.object.isCopy || namespace.object.uid === '') return undefined;
    return desiredNamespace(namespace.object, project);
  }

  async #read(desired: KubeObject, options: Options) {
    try {
      const ref = { resource: NAMESPACES, name: desired.metadata.name };
      return present(reduceNamespace(await getObject<KubeObject>(this.#options.hub, ref, options)));
    } catch (error) {
      if (isNotFound(error)) return { kind: 'absent' as const };
      throw error;
    }
  }

  async #write(desired: KubeObject, options: Options): Promise<void> {
    const { name } = desired.metadata;
    const under = this.#writes.get(name);
    if (under) return under;
    const write = this.#apply(desired, options).finally(() => this.#writes.delete(name));
    this.#writes.set(name, write);
    await write;
  }

  /**
   * The answer is taken over, so that the next copy finds the namespace before its event has come.
   * @throws {WaitingError} where another project stands behind the name: its namespaces would be given this one's label.
   */
  async #apply(desired: KubeObject, options: Options): Promise<void> {
    const { hub, hubNamespaces, identity } = this.#options;
    await identity.verify({ signal: options.signal, maxAgeMs: RECENT_MS });
    const how = { ...options, resource: NAMESPACES, fieldManager: REPLICATOR_FIELD_MANAGER, force: true };
    await hubNamespaces.read(desired.metadata.name, async () => (await applyObject(hub, desired, how)).object);
  }
}

function holds(held: NamespaceRouting, desired: KubeObject): boolean {
  const wanted = reduceNamespace(desired);
  return held.cluster === wanted.cluster && held.namespace === wanted.namespace && held.clusterInFull === wanted.clusterInFull;
}
