import { ENDPOINT_SLICES } from '#api/resources.ts';
import type { KubeObject } from '#api/objects.ts';
import { LOCATION, SLICE_PROJECTION, SLICE_SOURCE_NAME, SOURCE_CLUSTER_UID } from '#api/keys.ts';
import type { Random } from '#e2e/simulation/random.ts';
import { type Action, changeNamespace } from '#e2e/simulation/world/cell-actions.ts';
import { copyName, locationOf } from '#e2e/simulation/world/fate.ts';
import { SOURCES, SPACES, type World } from '#e2e/simulation/world/world.ts';

/** What happens on the hub besides our writes: Karmada, users, and other writers. */
export const HUB_ACTIONS = {
  claim: (world, random) =>
    edit(world, random, {
      manager: 'karmada',
      change: ({ labels, annotations }) => ({
        labels: { ...labels, 'clusterpropagationpolicy.karmada.io/permanent-id': 'id-1' },
        annotations: { ...annotations, 'clusterpropagationpolicy.karmada.io/name': 'gateways' },
      }),
    }),
  editBody: (world, random) => edit(world, random, { manager: 'kubectl', body: { endpoints: [{ addresses: ['fd00::bad'] }] } }),
  editLabel: (world, random) =>
    edit(world, random, {
      manager: 'kubectl',
      change: ({ labels }) => ({ labels: { ...labels, [random.pick(['tier', 'mine', LOCATION, SLICE_PROJECTION])]: 'edited' } }),
    }),
  dropKey: (world, random) =>
    edit(world, random, {
      manager: 'kubectl',
      change: ({ labels, annotations }) => ({
        labels: without(labels, random.pick(['tier', 'galactic.datum.net/tenant-id', SLICE_PROJECTION])),
        annotations: without(
          annotations,
          random.pick([SLICE_SOURCE_NAME, ...(haveOneLocation(world) ? [] : [SOURCE_CLUSTER_UID]), 'galactic.datum.net/srv6-sid']),
        ),
      }),
    }),
  deleteCopy: (world, random) => {
    const held = pickCopy(world, random);
    if (held) world.hub.remove(addressOf(held));
  },
  takeName: (world, random) => {
    const cell = random.pick(world.cells);
    const location = locationOf(cell, world.clusterOf(cell));
    if (location === undefined) return;
    const address = { resource: ENDPOINT_SLICES, namespace: random.pick(SPACES), name: copyName(location, random.pick(SOURCES)) };
    if (!world.hub.at(address)) world.hub.put(address, foreignSlice(address, random), 'a-user');
  },
  freeName: (world, random) => {
    const foreign = world.hub.list(ENDPOINT_SLICES).filter(({ metadata }) => metadata.labels?.[SLICE_PROJECTION] !== 'true');
    if (foreign.length > 0) world.hub.remove(addressOf(random.pick(foreign)));
  },
  holdCopy: (world, random) => edit(world, random, { manager: 'a-user', change: () => ({ finalizers: ['example.com/hold'] }) }),
  releaseCopies: (world) => releaseCopies(world),
  hubNamespace: (world, random) => changeNamespace(world.hub, random),
  hubForgets: (world) => {
    world.hub.compact();
    world.hub.cut();
  },
} satisfies Record<string, Action>;

/** Takes away every finalizer on the hub, so that what is going can go. */
export function releaseCopies(world: World): void {
  for (const held of world.hub.list(ENDPOINT_SLICES)) {
    const { finalizers, ...metadata } = held.metadata;
    if (finalizers) world.hub.put(addressOf(held), { ...held, metadata }, 'a-user');
  }
}

/** Then a copy that does not say which cluster it came from is everybody's, and no promise is made. */
function haveOneLocation(world: World): boolean {
  const [one, other] = world.cells.map((cell) => locationOf(cell, world.clusterOf(cell)));
  return one === other;
}

/** Somebody else's: a user's, or a copy of another source. */
function foreignSlice({ namespace, name }: { namespace: string; name: string }, random: Random): KubeObject {
  const labels: Record<string, string> = random.chance(0.5) ? {} : { [SLICE_PROJECTION]: 'true', [LOCATION]: 'elsewhere' };
  const annotations: Record<string, string> = 'networking.datumapis.com/location' in labels ? { [SLICE_SOURCE_NAME]: 'another' } : {};
  return { metadata: { name, namespace, labels, annotations }, addressType: 'IPv6', endpoints: [{ addresses: ['fd00::f0'] }] };
}

type Change = (metadata: KubeObject['metadata']) => Partial<KubeObject['metadata']>;

function edit(
  world: World,
  random: Random,
  { manager, change = () => ({}), body = {} }: { manager: string; change?: Change; body?: object },
): void {
  const held = pickCopy(world, random);
  if (held) world.hub.put(addressOf(held), { ...held, ...body, metadata: { ...held.metadata, ...change(held.metadata) } }, manager);
}

function pickCopy(world: World, random: Random): KubeObject | undefined {
  const copies = world.hub.list(ENDPOINT_SLICES);
  return copies.length === 0 ? undefined : random.pick(copies);
}

function addressOf({ metadata: { namespace = '', name } }: KubeObject) {
  return { resource: ENDPOINT_SLICES, namespace, name };
}

function without(keys: Record<string, string> = {}, gone: string): Record<string, string> {
  return Object.fromEntries(Object.entries(keys).filter(([key]) => key !== gone));
}
