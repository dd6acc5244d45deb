import { LOCATION, SLICE_PROJECTION, SOURCE_UID, TENANT_ID, UPSTREAM_CLUSTER_NAME, UPSTREAM_NAMESPACE } from '#api/keys.ts';
import type { EndpointSlice } from '#api/objects.ts';
import type { Random } from '#e2e/simulation/random.ts';
import { copyKey } from '#e2e/scenario/expected-copy.ts';
import { createNamespace, deleteNamespace, labelNamespace, readNamespace } from '#e2e/scenario/slices.ts';
import { foreignObject } from '#e2e/scenario/source-object.ts';
import { ledgerKey } from '#e2e/torture/ledger.ts';
import type { Version } from '#e2e/torture/oracle.ts';
import { ROUTING, sidesOf, unlessRefused } from '#e2e/torture/world.ts';
import type { Action, World } from '#e2e/torture/world.ts';

/** Each of them is put right by the service: every key is one that the copy has from its source or for its own. */
const EDITS: readonly object[] = [
  { endpoints: [{ addresses: ['fd20::bad'] }] },
  { ports: [{ name: 'x', port: 1 }] },
  { metadata: { labels: { [TENANT_ID]: 'forged' } } },
  { metadata: { annotations: { [TENANT_ID]: null } } },
  { metadata: { annotations: { [SOURCE_UID]: 'forged' } } },
];
/** Without one of these it is no copy of ours any more. */
const DISOWNED: readonly object[] = [{ labels: { [SLICE_PROJECTION]: null } }, { labels: { [LOCATION]: 'elsewhere' } }];
/** As Karmada claims a copy. */
const CLAIM = {
  labels: { 'clusterpropagationpolicy.karmada.io/permanent-id': 'p' },
  annotations: { 'clusterpropagationpolicy.karmada.io/name': 'gateways' },
};

/** What people and Karmada do on the hub, and to the labels that route. */
export const HUB_ACTIONS = {
  editCopy: (world, random) => withCopy(world, random, async (copy) => void (await patch(world, copy, random.pick(EDITS)))),
  claimCopy: (world, random) => withCopy(world, random, async (copy) => void (await patch(world, copy, { metadata: CLAIM }))),
  deleteCopy: (world, random) => withCopy(world, random, (copy) => world.stage.hub.slices.delete(keyOf(copy))),
  disownCopy: (world, random) =>
    withCopy(world, random, async (copy) => {
      const change = random.pick(DISOWNED);
      // What lies in a namespace that is going goes with it, whosever it is, once the hub gets round to it.
      const namespace = await readNamespace(world.stage.hub.plane.admin, keyOf(copy).namespace);
      if (!namespace || namespace.metadata.deletionTimestamp !== undefined) return;
      const disowned = await patch(world, copy, { metadata: change });
      if (disowned) world.foreign.set(ledgerKey(keyOf(disowned)), versionOf(disowned));
    }),
  takeName,
  freeName: async (world, random) => {
    if (world.foreign.size > 0 && isHubUp(world)) await freeName(world, random.pick([...world.foreign.keys()]));
  },
  deleteHubNamespace: async (world, random) => {
    if (!isHubUp(world)) return;
    const name = random.pick(world.namespaces);
    for (const key of world.foreign.keys()) if (key.startsWith(`${name}/`)) world.foreign.delete(key);
    await deleteNamespace(world.stage.hub.plane.admin, name);
  },
  makeHubNamespace: async (world, random) => {
    const { admin } = world.stage.hub.plane;
    if (isHubUp(world)) await unlessRefused(createNamespace(admin, { name: random.pick(world.namespaces), labels: ROUTING }));
  },
  unroute: (world, random) => label(world, random, random.pick(MISROUTED)),
  route: (world, random) => label(world, random, ROUTING),
} satisfies Record<string, Action>;

const MISROUTED: readonly Record<string, string | null>[] = [
  { [UPSTREAM_CLUSTER_NAME]: null },
  { [UPSTREAM_NAMESPACE]: null },
  { [UPSTREAM_CLUSTER_NAME]: 'cluster-another' },
];

/** Takes away an object of somebody else's. */
export async function freeName({ stage, foreign }: World, key: string): Promise<void> {
  const [namespace = '', name = ''] = key.split('/');
  foreign.delete(key);
  await stage.hub.slices.delete({ namespace, name });
}

/** Puts an object of a user's, or a copy of another location, under the name of a copy, where there is none now. */
async function takeName(world: World, random: Random): Promise<void> {
  const cell = random.pick(world.cells);
  const sources = cell.ledger.keys();
  if (!isHubUp(world) || sources.length === 0) return;
  const [namespace = '', name = ''] = random.pick(sources).split('/');
  const key = copyKey(cell.location, { namespace, name });
  const labels = random.pick([{}, { [SLICE_PROJECTION]: 'true', [LOCATION]: 'elsewhere' }]);
  const made = await unlessRefused(world.stage.hub.slices.create(foreignObject(key, { labels })));
  if (made) world.foreign.set(ledgerKey(key), versionOf(made));
}

async function label(world: World, random: Random, labels: Record<string, string | null>): Promise<void> {
  const { plane } = random.pick(sidesOf(world));
  const name = random.pick(world.namespaces);
  if (world.down.has(plane.name) || (await readNamespace(plane.admin, name)) === undefined) return;
  await unlessRefused(labelNamespace(plane.admin, name, labels));
}

/** One of our copies on the hub, if there is any and the hub can be asked. */
export async function pickCopy(world: World, random: Random): Promise<EndpointSlice | undefined> {
  if (!isHubUp(world)) return undefined;
  const slices = await world.stage.hub.slices.list(random.pick(world.namespaces));
  // By its mark: somebody else's object may be there still, and is forgotten here, while its namespace goes.
  const copies = slices.filter(
    (slice) => slice.metadata.labels?.[SLICE_PROJECTION] === 'true' && !world.foreign.has(ledgerKey(keyOf(slice))),
  );
  return copies.length === 0 ? undefined : random.pick(copies);
}

async function withCopy(world: World, random: Random, act: (copy: EndpointSlice) => Promise<void>): Promise<void> {
  const copy = await pickCopy(world, random);
  if (copy) await act(copy);
}

function patch({ stage }: World, copy: EndpointSlice, change: object): Promise<EndpointSlice | undefined> {
  return unlessRefused(stage.hub.slices.patch(keyOf(copy), change));
}

function isHubUp({ stage, down }: World): boolean {
  return !down.has(stage.hub.plane.name);
}

function keyOf({ metadata: { namespace = '', name } }: EndpointSlice): { namespace: string; name: string } {
  return { namespace, name };
}

function versionOf({ metadata: { uid = '', resourceVersion = '' } }: EndpointSlice): Version {
  return { uid, resourceVersion };
}
