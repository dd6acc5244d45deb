import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { basename, join } from 'node:path';
import { UPSTREAM_CLUSTER_NAME, UPSTREAM_NAMESPACE } from '#api/keys.ts';
import { writeHubConfig } from '#e2e/hub-config.ts';
import type { GeneratedConfig } from '#e2e/hub-config.ts';
import { startCellSide } from '#e2e/scenario/cell-side.ts';
import type { CellSide } from '#e2e/scenario/cell-side.ts';
import { startHubSide } from '#e2e/scenario/hub-side.ts';
import type { HubSide } from '#e2e/scenario/hub-side.ts';
import { createNamespace, deleteNamespace } from '#e2e/scenario/slices.ts';
import { Source } from '#e2e/scenario/source.ts';
import { Service } from '#e2e/service.ts';
import { PLANES_TIMEOUT_MS, sharedPlanes } from '#e2e/shared-planes.ts';
import type { SharedPlanes } from '#e2e/shared-planes.ts';

/** How a suite's scenario differs from a hub, two cells at two locations, and a running service. */
export type ScenarioOptions = {
  /** Locations by cell; `dfw` and `ams` when left out. */
  locations?: { c1?: string; c2?: string };
  /** Cells that are not told their location: it has to be delivered to them. */
  unconfigured?: readonly string[];
  /**
   * `often`: twice a second, so that a test can wait for two sweeps. `once`: only after a start, and that one is over when
   * the first test begins: what happens then happens by events, or by what a test starts anew.
   */
  sweeps?: 'often' | 'once';
  /** Fields of `writeback` in the service's configuration. Retries come often unless said otherwise. */
  writeback?: GeneratedConfig['writeback'];
  /** The suite starts the service itself. */
  stopped?: boolean;
};

/** Labels of the namespace that a test wants otherwise; false where a plane has none. */
export type NamespaceOptions = { hub?: Record<string, string> | false; cells?: Record<string, string> };

/** The scene of one suite. */
export type Scenario = {
  hub: HubSide;
  c1: CellSide;
  c2: CellSide;
  service: Service;
  /** Writes the service's configuration anew, with these cells alone, those named in `paused` paused. A running service follows it. */
  configure(cells: readonly CellSide[], options?: { paused?: readonly string[] }): void;
  /** Makes a namespace of a project on the hub and both cells, with the routing labels, under a name of its own. */
  namespace(options?: NamespaceOptions): Promise<string>;
  /** A source in a cell that may be made there. */
  source(cell: CellSide, namespace: string, name?: string): Source;
};

/** Short enough for a test to wait for two sweeps, long enough for two cores to do something else in between. */
const SWEEP_INTERVALS = { often: '500ms', once: '1h' };
const RETRY_INTERVAL = '500ms';

/**
 * Gives a suite its scene: planes shared with all suites, and a service process, proxies and namespaces of its own, which go with it.
 * To be called in the body of `describe`; the returned function answers inside tests.
 */
export function useScenario(options: ScenarioOptions = {}): () => Scenario {
  let scene: Scene | undefined;
  before('set the scene', async function () {
    this.timeout(PLANES_TIMEOUT_MS);
    scene = await setScene(options, this.test?.parent);
  });
  afterEach('show what the service said', function () {
    if (this.currentTest?.state === 'failed') console.log(`The service's last lines:\n${scene?.scenario.service.logTail()}`);
  });
  after('strike the scene', async function () {
    this.timeout(PLANES_TIMEOUT_MS);
    await scene?.strike();
  });
  return () => scene?.scenario ?? fail('There is no scenario before the first test');
}

type Scene = { scenario: Scenario; strike(): Promise<void> };

async function setScene(options: ScenarioOptions, suite: Mocha.Suite | undefined): Promise<Scene> {
  const planes = await sharedPlanes(suite ?? fail('A scenario needs a suite'));
  const cleanup = new AsyncDisposableStack();
  try {
    const scenario = await build(planes, options, cleanup);
    if (!options.stopped) await startService(scenario, options);
    return { scenario, strike: () => cleanup.disposeAsync() };
  } catch (error) {
    await cleanup.disposeAsync();
    throw error;
  }
}

async function startService({ service, c1, c2 }: Scenario, { sweeps }: ScenarioOptions): Promise<void> {
  await service.start();
  if (sweeps === 'once') for (const { name } of [c1, c2]) await service.sweptOnce(name);
}

async function build(
  planes: SharedPlanes,
  { locations = {}, writeback = {}, unconfigured = [], sweeps = 'often' }: ScenarioOptions,
  cleanup: AsyncDisposableStack,
): Promise<Scenario> {
  const folder = mkdtempSync(join(planes.environment.folder, 'scene-'));
  const hub = await startHubSide(planes.hub, folder);
  const c1 = await startCellSide(planes.c1, { folder, location: locations.c1 ?? 'dfw' });
  const c2 = await startCellSide(planes.c2, { folder, location: locations.c2 ?? 'ams' });
  for (const { proxy } of [hub, c1, c2]) cleanup.defer(() => proxy.close());
  const configFile = join(folder, 'hub.yaml');
  const configure: Scenario['configure'] = (cells, { paused = [] } = {}) => {
    const configured = cells.map(({ name, kubeconfig, location }) => ({
      ...{ name, kubeconfig },
      ...(!unconfigured.includes(name) && { location }),
      ...(paused.includes(name) && { paused: true }),
    }));
    const config = {
      hub: { kubeconfig: hub.kubeconfig },
      cells: configured,
      writeback: { sweepInterval: SWEEP_INTERVALS[sweeps], retryInterval: RETRY_INTERVAL, ...writeback },
    };
    writeHubConfig(configFile, config);
  };
  configure([c1, c2]);
  const service = new Service({ environment: planes.environment, name: basename(folder), configFile });
  const namespaces: string[] = [];
  cleanup.defer(() => clear({ hub, c1, c2 }, namespaces));
  cleanup.defer(async () => void (await service.stop()));
  return {
    ...{ hub, c1, c2, service, configure },
    namespace: async (wanted) => {
      const name = await makeNamespace([hub, c1, c2], wanted);
      namespaces.push(name);
      return name;
    },
    source: (cell, namespace, name = 'pod-1') => new Source({ namespace, name }, { cell, hub, service }),
  };
}

async function makeNamespace([hub, ...cells]: [HubSide, ...CellSide[]], options: NamespaceOptions = {}): Promise<string> {
  const uid = randomUUID();
  const name = `ns-${uid}`;
  const labels = { [UPSTREAM_CLUSTER_NAME]: `cluster-project-${uid.slice(0, 8)}`, [UPSTREAM_NAMESPACE]: 'default' };
  if (options.hub !== false) await createNamespace(hub.plane.admin, { name, labels: options.hub ?? labels });
  for (const { plane } of cells) await createNamespace(plane.admin, { name, labels: options.cells ?? labels });
  return name;
}

/** Leaves the planes as the next suite wants to find them: its service would take over whatever lies around. */
async function clear({ hub, c1, c2 }: Pick<Scenario, 'hub' | 'c1' | 'c2'>, namespaces: readonly string[]): Promise<void> {
  const clearOne = async (name: string) => {
    await Promise.all([c1, c2, hub].map(({ slices }) => slices.clear(name)));
    await deleteNamespace(hub.plane.admin, name);
  };
  await Promise.all(namespaces.map(clearOne));
}

function fail(message: string): never {
  throw new Error(message);
}
