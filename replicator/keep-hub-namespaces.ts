import type { Client } from '#kube/client.ts';
import type { Log } from '#kube/log.ts';
import type { ClusterIdentity } from '#mirror/cluster-identity.ts';
import { Controller } from '#mirror/controller.ts';
import { Holds } from '#mirror/holds.ts';
import type { MirrorMetrics } from '#mirror/metrics.ts';
import type { MirrorSettings } from '#mirror/mirror.ts';
import type { NamespaceRouting } from '#mirror/namespace-routing.ts';
import type { ReducedStore } from '#mirror/reduced-store.ts';
import { Workqueue } from '#mirror/workqueue.ts';
import { HubNamespaces } from '#replicator/hub-namespaces.ts';
import { hubNamespaceName, type ProjectNamespace } from '#replicator/project-namespace.ts';

/** Keeps the labels of a project's hub namespaces right. */
export type NamespaceKeeper = {
  /** Makes the namespaces that copies need. */
  namespaces: HubNamespaces;
  projectNamespaceChanged(name: string): void;
  /** @returns the project namespace that the hub's namespace stands for, where it is one of this project. */
  hubNamespaceChanged(hubName: string): string | undefined;
  /** Works until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
};

/** What the keeper works with. */
export type KeeperOptions = {
  hub: Client;
  project: Client;
  identity: ClusterIdentity;
  target: { name: string };
  projectNamespaces: ReducedStore<ProjectNamespace>;
  hubNamespaces: ReducedStore<NamespaceRouting>;
  settings: MirrorSettings;
  metrics: MirrorMetrics;
  log: Log;
};

/** A controller over a project's namespaces: one that exists on the hub gets its labels back when somebody changed them. */
export function keepHubNamespaces(options: KeeperOptions): NamespaceKeeper {
  const { project, target, projectNamespaces, settings, metrics } = options;
  const { clock, random } = project;
  const { retryIntervalMs } = settings;
  const namespaces = new HubNamespaces({ ...options, project: target.name, retryIntervalMs });
  const queue = new Workqueue(clock);
  const labels = { controller: 'replicator.namespace', plane: project.cluster };
  const log = options.log.child({ controller: labels.controller });
  const controller = new Controller({
    ...{ labels, queue, holds: new Holds(), concurrency: 2, retryIntervalMs, clock, random, metrics, log },
    reconcile: (key, how) => namespaces.reconcile(key, how),
  });
  const sweep = async (signal: AbortSignal) => {
    while (!signal.aborted) {
      await clock.sleep(settings.sweepIntervalMs * (0.9 + 0.2 * random()), signal);
      for (const { name } of projectNamespaces.values()) queue.add(name, 'sweep');
    }
  };
  return {
    namespaces,
    projectNamespaceChanged: (name) => queue.add(name, 'live'),
    hubNamespaceChanged(hubName) {
      const name = projectNamespaces.values().find(({ uid }) => hubNamespaceName(uid) === hubName)?.name;
      if (name !== undefined) queue.add(name, 'repair');
      return name;
    },
    async run(signal) {
      await Promise.all([controller.run(signal), sweep(signal)]);
      queue.close();
    },
  };
}
