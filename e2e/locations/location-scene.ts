import { fileURLToPath } from 'node:url';
import { CITY_CODE, CLUSTER_LOCATION } from '#api/keys.ts';
import type { KubeObject } from '#api/objects.ts';
import { CLUSTER_PROPAGATION_POLICIES, KARMADA_CLUSTERS, LOCATIONS, type Resource, SERVING_LOCATIONS } from '#api/resources.ts';
import { eventually } from '#e2e/eventually.ts';
import { type ObjectsOn, objectsOn } from '#e2e/locations/objects-on.ts';
import { PublisherRun } from '#e2e/locations/publisher-run.ts';
import { auditOf, serviceWrites } from '#e2e/scenario/hub-side.ts';
import { PLANES_TIMEOUT_MS } from '#e2e/shared-planes.ts';
import { startEnvironment } from '#planes/environment.ts';
import { applyAll, applyManifest, type Manifest } from '#planes/manifests.ts';
import type { Plane } from '#planes/plane.ts';

/** A hub without Karmada and a plane that Locations are declared on, with the publisher between them. */
export type LocationScene = {
  hub: Plane;
  source: Plane;
  publisher: PublisherRun;
  onHub: ObjectsOn;
  onSource: ObjectsOn;
  /** Declares a Location, or changes it. Every city is `X` unless said otherwise. */
  declare(name: string, topology?: Record<string, string | null>): Promise<void>;
  undeclare(name: string): Promise<void>;
  served(name: string): Promise<KubeObject | undefined>;
  policy(name: string): Promise<KubeObject | undefined>;
  /** Waits for a serving location that fits, its policy beside it. */
  published(name: string, holds?: (served: KubeObject) => boolean): Promise<KubeObject>;
  /** Waits until neither serving location nor policy is there. */
  removed(name: string): Promise<void>;
  /** A member of Karmada, as far as the publisher looks at it. */
  cluster(name: string, state: { location?: string; ready?: boolean }): Promise<void>;
  removeCluster(name: string): Promise<void>;
  /** What the service does on the hub while this goes on, as `verb namespace/name`. */
  writesDuring(act: () => Promise<void>): Promise<string[]>;
};

/** How a suite's scene differs from one where everything is there and the publisher runs. */
export type SceneOptions = { withoutKinds?: readonly Resource[]; stopped?: boolean };

const fixture = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** Gives a suite its scene; the returned function answers inside tests. */
export function useLocations(options: SceneOptions = {}): () => LocationScene {
  let scene: (LocationScene & { strike(): Promise<void> }) | undefined;
  before('set the scene', async function () {
    this.timeout(PLANES_TIMEOUT_MS);
    scene = await setScene(options);
  });
  afterEach('show what the publisher said', function () {
    if (this.currentTest?.state === 'failed') console.log(`The publisher's last lines:\n${scene?.publisher.logTail()}`);
  });
  after('strike the scene', () => scene?.strike());
  return () => scene ?? noScene();
}

/** Has a plane serve one of the kinds that Karmada brings along, as far as the publisher needs it. */
export async function serveKind(plane: Plane, resource: Resource): Promise<void> {
  await applyAll(plane, [plainKind(resource)]);
}

async function setScene({ withoutKinds = [], stopped = false }: SceneOptions): Promise<LocationScene & { strike(): Promise<void> }> {
  const environment = await startEnvironment();
  try {
    const [hub, source] = await Promise.all([environment.startHub({ audit: true }), environment.startCell('locations', { audit: true })]);
    const kinds = [CLUSTER_PROPAGATION_POLICIES, KARMADA_CLUSTERS].filter((kind) => !withoutKinds.includes(kind));
    await applyAll(hub, kinds.map(plainKind));
    if (!withoutKinds.includes(SERVING_LOCATIONS)) await applyManifest(hub, fixture('e2e/crds/serving-location.yaml'));
    await applyManifest(source, fixture('e2e/crds/location.yaml'));
    await grantRights({ hub, source });
    const publisher = new PublisherRun({ hub, source });
    if (!stopped) await publisher.start();
    const strike = async () => {
      await publisher.stop();
      await environment.stop();
    };
    return { ...sceneOf({ hub, source, publisher }), strike };
  } catch (error) {
    await environment.stop();
    throw error;
  }
}

/** Gives the service exactly the rights that an operator gives it. */
export async function grantRights({ hub, source }: { hub: Plane; source: Plane }): Promise<void> {
  await applyManifest(hub, fixture('config/rbac/hub-policies.yaml'));
  await applyManifest(source, fixture('config/rbac/locations.yaml'));
}

function sceneOf({ hub, source, publisher }: { hub: Plane; source: Plane; publisher: PublisherRun }): LocationScene {
  const [onHub, onSource] = [objectsOn(hub.admin), objectsOn(source.admin)];
  const served = (name: string) => onHub.read({ resource: SERVING_LOCATIONS, name });
  const policy = (name: string) => onHub.read({ resource: CLUSTER_PROPAGATION_POLICIES, name: `location-${name}` });
  return {
    ...{ hub, source, publisher, onHub, onSource, served, policy },
    declare: (name, topology) => declare(onSource, name, topology),
    undeclare: (name) => onSource.remove({ resource: LOCATIONS, name }),
    published: (name, holds = () => true) =>
      eventually(`${name} is published`, async () => {
        const found = await served(name);
        return found !== undefined && holds(found) && (await policy(name)) !== undefined && found;
      }),
    removed: async (name) => void (await eventually(`${name} is removed`, async () => !(await served(name)) && !(await policy(name)))),
    cluster: (name, state) => makeCluster(onHub, name, state),
    removeCluster: (name) => onHub.remove({ resource: KARMADA_CLUSTERS, name }),
    async writesDuring(act) {
      const mark = auditOf(hub).length;
      await act();
      return serviceWrites(auditOf(hub).slice(mark));
    },
  };
}

async function declare(onSource: ObjectsOn, name: string, topology: Record<string, string | null> = {}): Promise<void> {
  const place = { resource: LOCATIONS, name };
  const { [CITY_CODE]: city = 'X', ...rest } = topology;
  const whole = { ...rest, ...(city !== null && { [CITY_CODE]: city }) };
  await onSource.apply(place, { spec: { topology: whole } });
}

async function makeCluster(onHub: ObjectsOn, name: string, state: { location?: string; ready?: boolean }): Promise<void> {
  const place = { resource: KARMADA_CLUSTERS, name };
  const labels = state.location === undefined ? {} : { [CLUSTER_LOCATION]: state.location };
  await onHub.apply(place, { metadata: { labels }, spec: {} });
  await onHub.patch(place, { status: { conditions: [{ type: 'Ready', status: state.ready === false ? 'False' : 'True' }] } }, 'status');
}

function plainKind(resource: Resource): Manifest {
  const { group, version: name, kind, plural, namespaced } = resource;
  const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  const schema = { openAPIV3Schema: { ...open, properties: { spec: open, status: open } } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: namespaced ? 'Namespaced' : 'Cluster',
      names: { kind, listKind: `${kind}List`, plural, singular: kind.toLowerCase() },
      versions: [{ name, served: true, storage: true, subresources: { status: {} }, schema }],
    },
  };
}

function noScene(): never {
  throw new Error('There is no scene before the first test');
}
