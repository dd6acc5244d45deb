import { ENDPOINT_SLICES, NAMESPACES, SERVING_LOCATIONS } from '#api/resources.ts';
import type { KubeObject } from '#api/objects.ts';
import { KARMADA_MANAGED, SLICE_PROJECTION, SRV6_SID, TENANT_ID, UPSTREAM_CLUSTER_NAME } from '#api/keys.ts';
import type { Random } from '#e2e/simulation/random.ts';
import { type Cluster, putNamespace, putSource, routingOf, SOURCES, SPACES, type World } from '#e2e/simulation/world/world.ts';

/** Something that somebody does to the world, by chance alone. */
export type Action = (world: World, random: Random) => void;

/** What happens in cells: producers, operators, and Karmada's deliveries. */
export const CELL_ACTIONS = {
  create: (world, random) => {
    const cluster = pickCluster(world, random);
    const { namespace, name } = pickPlace(random);
    if (!cluster.server.at({ resource: ENDPOINT_SLICES, namespace, name }))
      putSource(cluster, newSource(random, namespace, name), { native: true });
  },
  deploy: (world, random) => {
    const cluster = pickCluster(world, random);
    for (const namespace of SPACES)
      for (const name of SOURCES)
        if (random.chance(0.7) && !cluster.server.at({ resource: ENDPOINT_SLICES, namespace, name }))
          putSource(cluster, newSource(random, namespace, name), { native: true });
  },
  change: (world, random) => alter(world, random, (slice) => ({ ...slice, endpoints: endpoints(random) })),
  relabel: (world, random) =>
    alter(world, random, (slice) => {
      const labels: Record<string, string> = { ...slice.metadata.labels, tier: String(random.integer(0, 2)) };
      if (random.chance(0.4)) delete labels['tier'];
      return withMetadata(slice, { labels });
    }),
  annotate: (world, random) =>
    alter(world, random, (slice) =>
      withMetadata(slice, { annotations: { ...slice.metadata.annotations, [SRV6_SID]: `fc00::${random.integer(1, 9)}` } }),
    ),
  touchForeignKeys: (world, random) =>
    alter(world, random, (slice) =>
      withMetadata(slice, { labels: { ...slice.metadata.labels, 'policy.karmada.io/id': String(random.integer(1, 9)) } }),
    ),
  empty: (world, random) => alter(world, random, (slice) => ({ ...slice, endpoints: [] })),
  untenant: (world, random) =>
    alter(world, random, (slice) => {
      const { [TENANT_ID]: _tenant, ...labels } = slice.metadata.labels ?? {};
      return withMetadata(slice, { labels });
    }),
  tenant: (world, random) =>
    alter(world, random, (slice) => withMetadata(slice, { labels: { ...slice.metadata.labels, [TENANT_ID]: 'Vpc-At1' } })),
  terminate: (world, random) => {
    const found = pickSource(world, random);
    if (!found) return;
    putSource(found.cluster, withMetadata(found.slice, { finalizers: ['example.com/keep'] }), { native: true });
    removeSlice(found.cluster, found.slice);
  },
  finishTermination: (world, random) =>
    alter(world, random, ({ metadata: { finalizers: _finalizers, ...metadata }, ...slice }) => ({ ...slice, metadata })),
  remove: (world, random) => {
    const found = pickSource(world, random);
    if (found) removeSlice(found.cluster, found.slice);
  },
  remake: (world, random) => {
    const found = pickSource(world, random);
    if (!found) return;
    removeSlice(found.cluster, found.slice);
    const { namespace = '', name } = found.slice.metadata;
    if (!found.cluster.server.at({ resource: ENDPOINT_SLICES, namespace, name }))
      putSource(found.cluster, newSource(random, namespace, name), { native: true });
  },
  removeAll: (world, random) => {
    const cluster = pickCluster(world, random);
    for (const slice of cluster.server.list(ENDPOINT_SLICES)) removeSlice(cluster, slice);
  },
  deliverBack: (world, random) => {
    const copies = world.hub.list(ENDPOINT_SLICES);
    if (copies.length > 0) putSource(pickCluster(world, random), delivered(random.pick(copies), random), { native: false });
  },
  takeOver: (world, random) =>
    alter(world, random, (slice) => withMetadata(slice, { labels: { ...slice.metadata.labels, [KARMADA_MANAGED]: 'true' } })),
  cellNamespace: (world, random) => changeNamespace(pickCluster(world, random).server, random),
  deliverLocation: (world, random) => {
    const { server } = pickCluster(world, random);
    const name = random.pick(['ams', 'fra', 'osl']);
    const [held] = server.list(SERVING_LOCATIONS);
    if (held && random.chance(0.7)) server.remove({ resource: SERVING_LOCATIONS, name: held.metadata.name });
    else server.put({ resource: SERVING_LOCATIONS, name }, { metadata: { name } });
  },
} satisfies Record<string, Action>;

/** What may befall a namespace, in a cell and on the hub. */
export function changeNamespace(server: Cluster['server'], random: Random): void {
  const name = random.pick(SPACES);
  const held = server.at({ resource: NAMESPACES, name });
  if (!held) return putNamespace(server, name);
  if (held.metadata.deletionTimestamp !== undefined) return;
  const what = random.weighted({ mend: 4, unlabel: 1, mislabel: 1, half: 1, remove: 1 });
  if (what === 'remove') server.remove({ resource: NAMESPACES, name });
  else putNamespace(server, name, LABELS[what](name));
}

const LABELS = {
  mend: routingOf,
  unlabel: () => ({}),
  mislabel: (name: string) => ({ ...routingOf(name), [UPSTREAM_CLUSTER_NAME]: 'cluster-other' }),
  half: () => ({ [UPSTREAM_CLUSTER_NAME]: 'cluster-project' }),
};

function newSource(random: Random, namespace: string, name: string): KubeObject {
  return {
    metadata: {
      name,
      namespace,
      labels: { ...(random.chance(0.95) && { [TENANT_ID]: 'Vpc-At1' }), ...(random.chance(0.3) && { tier: '1' }) },
      annotations: { [TENANT_ID]: 'Vpc-At1', ...(random.chance(0.6) && { [SRV6_SID]: 'fc00::1' }) },
      ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name, uid: 'pod-uid' }],
    },
    addressType: random.chance(0.85) ? 'IPv6' : 'IPv4',
    endpoints: random.chance(0.9) ? endpoints(random) : [],
    ports: random.chance(0.9) ? null : [{ port: 80 }],
  };
}

function endpoints(random: Random): unknown[] {
  return [{ addresses: [`fd00::${random.integer(1, 999)}`], conditions: { ready: true }, targetRef: { kind: 'Pod', name: 'p' } }];
}

function delivered({ metadata, ...slice }: KubeObject, random: Random): KubeObject {
  const { [SLICE_PROJECTION]: projection = '', ...labels } = metadata.labels ?? {};
  const marks = random.weighted({ both: 2, projection: 1, managed: 1 });
  return {
    ...slice,
    metadata: {
      name: metadata.name,
      ...(metadata.namespace !== undefined && { namespace: metadata.namespace }),
      labels: {
        ...labels,
        ...(marks !== 'managed' && { [SLICE_PROJECTION]: projection }),
        ...(marks !== 'projection' && { [KARMADA_MANAGED]: 'true' }),
      },
      ...(metadata.annotations && { annotations: metadata.annotations }),
    },
  };
}

function alter(world: World, random: Random, change: (slice: KubeObject) => KubeObject): void {
  const found = pickSource(world, random);
  if (found) putSource(found.cluster, change(found.slice), { native: true });
}

function withMetadata(slice: KubeObject, metadata: Partial<KubeObject['metadata']>): KubeObject {
  return { ...slice, metadata: { ...slice.metadata, ...metadata } };
}

function removeSlice({ server }: Cluster, { metadata: { namespace = '', name } }: KubeObject): void {
  server.remove({ resource: ENDPOINT_SLICES, namespace, name });
}

function pickSource(world: World, random: Random): { cluster: Cluster; slice: KubeObject } | undefined {
  const cluster = pickCluster(world, random);
  const slices = cluster.server.list(ENDPOINT_SLICES);
  return slices.length === 0 ? undefined : { cluster, slice: random.pick(slices) };
}

function pickCluster(world: World, random: Random): Cluster {
  return world.clusterOf(random.pick(world.cells));
}

function pickPlace(random: Random): { namespace: string; name: string } {
  return { namespace: random.pick(SPACES), name: random.pick(SOURCES) };
}
