import { KARMADA_MANAGED, SRV6_SID, TENANT_ID } from '#api/keys.ts';
import type { EndpointSlice } from '#api/objects.ts';
import type { Random } from '#e2e/simulation/random.ts';
import { foreignObject, sourceObject } from '#e2e/scenario/source-object.ts';
import type { SliceKey, SourceOptions } from '#e2e/scenario/source-object.ts';
import { pickCopy } from '#e2e/torture/hub-actions.ts';
import { ledgerKey, stateOf } from '#e2e/torture/ledger.ts';
import type { SourceState } from '#e2e/torture/ledger.ts';
import { timed } from '#e2e/torture/span.ts';
import { pickCell, unlessRefused } from '#e2e/torture/world.ts';
import type { Action, TorturedCell, World } from '#e2e/torture/world.ts';

/** Names of sources: ordinary ones, and one whose copy's name has to be cut. */
const NAMES = ['pod-1', 'pod-2', 'pod-3', 'pod-4', 'pod-5', `long-${'x'.repeat(240)}`];
/** More than are believed to be gone at once. */
const CROWD = 8;
const HOLD = ['example.com/hold'];

/** What producers of sources do in cells, and Karmada, when it brings copies back. */
export const PRODUCER_ACTIONS = {
  create: (world, random) => withName(world, random, (cell, key) => create(cell, key, optionsOf(random))),
  createCrowd: (world, random) =>
    inCell(world, random, async (cell, namespace) => {
      for (const name of crowd()) await create(cell, { namespace, name });
    }),
  change: (world, random) => withSource(world, random, (cell, key) => patch(cell, key, { endpoints: endpointsOf(random) })),
  changeTwice: (world, random) =>
    withSource(world, random, async (cell, key) => {
      for (const endpoints of [[], endpointsOf(random)]) await patch(cell, key, { endpoints });
    }),
  empty: (world, random) => withSource(world, random, (cell, key) => patch(cell, key, { endpoints: [] })),
  relabel: (world, random) => metadata(world, random, { labels: { tier: random.pick([null, 'one', 'two']) } }),
  annotate: (world, random) => metadata(world, random, { annotations: { [SRV6_SID]: random.pick([null, 'fc00::1', 'fc00::2']) } }),
  untenant: (world, random) => metadata(world, random, { labels: { [TENANT_ID]: null } }),
  tenant: (world, random) => metadata(world, random, { labels: { [TENANT_ID]: '0aB3xY-Zq9' } }),
  terminate: (world, random) =>
    withSource(world, random, async (cell, key) => {
      await patch(cell, key, { metadata: { finalizers: HOLD } });
      await remove(cell, key);
    }),
  finish: (world, random) => metadata(world, random, { finalizers: null }),
  remove: (world, random) => withSource(world, random, remove),
  remake: (world, random) =>
    withSource(world, random, async (cell, key) => {
      await remove(cell, key);
      await create(cell, key, optionsOf(random));
    }),
  retype: (world, random) =>
    withSource(world, random, async (cell, key) => {
      await remove(cell, key);
      await create(cell, key, { fields: { addressType: 'IPv4', endpoints: [{ addresses: ['10.0.0.7'], conditions: { ready: true } }] } });
    }),
  removeMost: (world, random) =>
    inCell(world, random, async (cell, namespace) => {
      for (const name of [...NAMES.slice(1), ...crowd()]) await remove(cell, { namespace, name });
    }),
  bringBack,
} satisfies Record<string, Action>;

type Act = (cell: TorturedCell, key: SliceKey) => Promise<void>;

/** Mostly on a source that is there: on any other, there is little to do. */
async function withSource(world: World, random: Random, act: Act): Promise<void> {
  await inCell(world, random, async (cell, namespace) => {
    const there = cell.ledger.keys().filter((key) => key.startsWith(`${namespace}/`) && cell.ledger.now(key) !== undefined);
    const anyName = random.pick(NAMES);
    const name = there.length > 0 && random.chance(0.8) ? random.pick(there).slice(namespace.length + 1) : anyName;
    await act(cell, { namespace, name });
  });
}

function withName(world: World, random: Random, act: Act): Promise<void> {
  return inCell(world, random, (cell, namespace) => act(cell, { namespace, name: random.pick(NAMES) }));
}

async function inCell(world: World, random: Random, act: (cell: TorturedCell, namespace: string) => Promise<void>): Promise<void> {
  const cell = pickCell(world, random);
  if (cell) await act(cell, random.pick(world.namespaces));
}

function metadata(world: World, random: Random, metadata: object): Promise<void> {
  return withSource(world, random, (cell, key) => patch(cell, key, { metadata }));
}

function create(cell: TorturedCell, key: SliceKey, options: SourceOptions = {}): Promise<void> {
  return change(cell, key, () => cell.slices.create(sourceObject(key, options)));
}

function patch(cell: TorturedCell, key: SliceKey, patch: object): Promise<void> {
  return change(cell, key, () => cell.slices.patch(key, patch));
}

async function remove(cell: TorturedCell, key: SliceKey): Promise<void> {
  const { answer, span } = await timed(async () => {
    await cell.slices.delete(key);
    return cell.slices.read(key);
  });
  cell.ledger.note(ledgerKey(key), answer && stateOf(answer), span);
}

async function change({ ledger }: TorturedCell, key: SliceKey, write: () => Promise<EndpointSlice>): Promise<void> {
  const { answer, span } = await timed(() => unlessRefused(write()));
  if (answer) ledger.note(ledgerKey(key), settled(answer), span);
}

/** A patch that takes away the last finalizer of an object that is leaving answers with it once more. */
function settled(slice: EndpointSlice): SourceState {
  const { deletionTimestamp, finalizers } = slice.metadata;
  return deletionTimestamp !== undefined && !finalizers?.length ? undefined : stateOf(slice);
}

/** Puts a copy into a cell as Karmada delivers it, with all marks or with some of them lost. */
async function bringBack(world: World, random: Random): Promise<void> {
  const cell = pickCell(world, random);
  const copy = await pickCopy(world, random);
  if (!cell || !copy) return;
  const { name, namespace = '', labels, annotations } = copy.metadata;
  const marks = random.pick([{ ...labels, [KARMADA_MANAGED]: 'true' }, labels ?? {}]);
  await unlessRefused(cell.slices.create(foreignObject({ namespace, name }, { labels: marks, ...(annotations && { annotations }) })));
}

function optionsOf(random: Random): SourceOptions {
  return {
    ...(random.chance(0.05) && { tenant: null }),
    ...(random.chance(0.2) && { sid: null }),
    ...(random.chance(0.3) && { labels: { tier: 'one', 'policy.karmada.io/foreign': 'x' } }),
    ...(random.chance(0.1) && { fields: { endpoints: [] } }),
  };
}

function endpointsOf(random: Random): object[] {
  return [{ addresses: [`fd20::${random.integer(1, 9)}`], conditions: { ready: random.chance(0.8) } }];
}

function crowd(): string[] {
  return Array.from({ length: CROWD }, (_, at) => `crowd-${at}`);
}
