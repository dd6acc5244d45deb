import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Resource } from '#api/resources.ts';
import { eventually } from '#e2e/eventually.ts';
import { writeHubConfig } from '#e2e/hub-config.ts';
import type { GeneratedConfig } from '#e2e/hub-config.ts';
import { Declared } from '#e2e/scenario/declared.ts';
import { startHubSide } from '#e2e/scenario/hub-side.ts';
import type { HubSide } from '#e2e/scenario/hub-side.ts';
import { startProjectSide } from '#e2e/scenario/project-side.ts';
import type { ProjectNamespace, ProjectSide } from '#e2e/scenario/project-side.ts';
import { deleteNamespace } from '#e2e/scenario/slices.ts';
import { Service } from '#e2e/service.ts';
import { PLANES_TIMEOUT_MS } from '#e2e/shared-planes.ts';
import { sharedProjects } from '#e2e/shared-projects.ts';
import type { SharedProjects } from '#e2e/shared-projects.ts';

/** How a suite's scenario differs from a hub, two projects, and a running service. */
export type ProjectScenarioOptions = {
  /** Fields of `replicator` in the service's configuration. Sweeps and retries come often unless said otherwise. */
  replicator?: Record<string, unknown>;
  /** The suite starts the service itself. */
  stopped?: boolean;
};

/** The scene of one suite about projects. */
export type ProjectScenario = {
  hub: HubSide;
  p1: ProjectSide;
  p2: ProjectSide;
  service: Service;
  /** A folder of the suite's own. */
  folder: string;
  /** Writes the service's configuration anew: these projects, and whatever else is given. A running service follows it. */
  configure(projects: readonly ProjectSide[], more?: Partial<GeneratedConfig>): void;
  /** An object of a project that may be declared there. */
  declared(project: ProjectSide, resource: Resource, place: { namespace: ProjectNamespace; name: string }): Declared;
  /** Waits until one controller has swept a project twice, both begun after this call. */
  swept(project: ProjectSide, controller?: string): Promise<void>;
};

/** Short enough for a test to wait for two sweeps, long enough for two cores to do something else in between. */
const REPLICATOR = { sweepInterval: '700ms', retryInterval: '500ms' };

/**
 * Gives a suite its scene: planes shared with all suites, and a service process, proxies and namespaces of its own, which go with it.
 * To be called in the body of `describe`; the returned function answers inside tests. No suite ends well in which the service wrote
 * on a project.
 */
export function useProjects(options: ProjectScenarioOptions = {}): () => ProjectScenario {
  const cleanup = new AsyncDisposableStack();
  let scenario: ProjectScenario | undefined;
  before('set the scene', async function () {
    this.timeout(PLANES_TIMEOUT_MS);
    assert.ok(this.test?.parent);
    scenario = await build(await sharedProjects(this.test.parent), options, cleanup);
    if (!options.stopped) await scenario.service.start();
  });
  afterEach('show what the service said', function () {
    if (this.currentTest?.state === 'failed') console.log(`The service's last lines:\n${scenario?.service.logTail()}`);
  });
  after('strike the scene', () => cleanup.disposeAsync());
  return () => scenario ?? assert.fail('There is no scenario before the first test');
}

async function build(planes: SharedProjects, options: ProjectScenarioOptions, cleanup: AsyncDisposableStack): Promise<ProjectScenario> {
  const folder = mkdtempSync(join(planes.environment.folder, 'projects-'));
  const hub = await startHubSide(planes.hub, folder);
  // The names of projects are paths, and both begin with the same segment.
  const p1 = await startProjectSide(planes.p1, { folder, name: 'org/p1' });
  const p2 = await startProjectSide(planes.p2, { folder, name: 'org/p2' });
  for (const { proxy } of [hub, p1, p2]) cleanup.defer(() => proxy.close());
  const configFile = join(folder, 'hub.yaml');
  const configure: ProjectScenario['configure'] = (projects, more = {}) => {
    const configured = projects.map(({ name, kubeconfig }) => ({ name, kubeconfig }));
    const replicator = { ...REPLICATOR, ...options.replicator };
    writeHubConfig(configFile, { hub: { kubeconfig: hub.kubeconfig }, cells: [], projects: configured, replicator, ...more });
  };
  configure([p1, p2]);
  const service = new Service({ environment: planes.environment, name: basename(folder), configFile });
  cleanup.defer(() => clear(hub, [p1, p2]));
  cleanup.defer(async () => void (await service.stop()));
  return {
    ...{ hub, p1, p2, service, folder, configure },
    declared: (project, resource, place) => new Declared({ resource, ...place }, { project, hub, service }),
    swept: (project, controller = 'replicator.network') => untilSwept(service, { plane: project.name, controller }),
  };
}

async function untilSwept(service: Service, labels: { plane: string; controller: string }): Promise<void> {
  const sweeps = () => service.metric('fedhub_sweeps_total', { ...labels, result: 'complete' });
  // The next one to end may have begun already; the last has its suspects in the queue when it ends.
  const enough = (await sweeps()) + 4;
  const isIdle = async () => (await service.metric('fedhub_queue_depth', { plane: labels.plane })) === 0;
  await service.eventually(`${labels.plane} is swept`, async () => (await sweeps()) >= enough && (await isIdle()));
}

/** Leaves the planes as the next suite wants to find them. The last word on what was written is the audit log's. */
async function clear(hub: HubSide, projects: readonly ProjectSide[]): Promise<void> {
  const writes = projects.flatMap((project) => project.writes().map((write) => `${project.name}: ${write}`));
  const namespaces = (await Promise.all(projects.map((project) => project.clear()))).flat();
  await Promise.all(
    namespaces.map(async ({ hubName }) => {
      await deleteNamespace(hub.plane.admin, hubName);
      await eventually(`${hubName} is gone from the hub`, async () => (await hub.readNamespace(hubName)) === undefined);
    }),
  );
  assert.deepEqual(writes, [], 'the service wrote on a project');
}
