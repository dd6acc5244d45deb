import { ENDPOINT_SLICES, NAMESPACES } from '#api/resources.ts';
import { eventually } from '#e2e/eventually.ts';
import type { Proxied } from '#e2e/scenario/proxied.ts';
import type { Random } from '#e2e/simulation/random.ts';
import { timed } from '#e2e/torture/span.ts';
import { sidesOf } from '#e2e/torture/world.ts';
import type { Action, TorturedCell, World } from '#e2e/torture/world.ts';
import { resourcePath } from '#kube/paths.ts';
import type { Plane } from '#planes/plane.ts';
import type { Program } from '#planes/programs.ts';
import { backUpStore, restoreStore } from '#planes/store-backup.ts';

/** A plane on a busy machine, in milliseconds. */
const START_MS = 120_000;

/** What befalls the planes themselves, and the service. */
export const PLANE_ACTIONS = {
  killServer: (world, random) => kill(world, random, 'kube-apiserver'),
  killStore: (world, random) => kill(world, random, 'etcd'),
  mend: (world) => mend(world),
  backUp: (world, random) => backUp(world, pickUp(world, random)),
  restore: (world, random) => restore(world, pickUp(world, random)),
  killService: async (world) => {
    await world.stage.service.kill();
    world.serving = false;
  },
  restartService: async (world, random) => {
    await world.stage.service[random.pick(['kill', 'stop'] as const)]();
    world.serving = false;
    await serve(world);
  },
  startService: (world) => serve(world),
} satisfies Record<string, Action>;

/** Brings back whatever was killed of the planes. */
export async function mend(world: World): Promise<void> {
  for (const { plane } of sidesOf(world)) {
    if (world.down.has(plane.name)) await start(plane);
    world.down.delete(plane.name);
  }
}

/** Starts the service where a step has ended it. */
export async function serve(world: World): Promise<void> {
  if (world.serving) return;
  // A start that was given up may still have left a process.
  await world.stage.service.kill();
  await world.stage.service.start();
  world.serving = true;
}

async function kill(world: World, random: Random, program: Program): Promise<void> {
  const side = pickUp(world, random);
  if (!side) return;
  world.tell(`${side.plane.name}: ${program} killed`);
  world.down.add(side.plane.name);
  await side.plane.kill(program);
}

/** Copies a store as a crash at this moment would leave it. */
async function backUp(world: World, side: Proxied | undefined): Promise<void> {
  if (!side) return;
  const { plane } = side;
  const folder = await backUpStore(plane);
  const cell = cellOf(world, side);
  world.backups.set(plane.name, { folder, ...(cell ? { page: cell.ledger.page() } : { foreign: new Map(world.foreign) }) });
}

/** Brings a plane back to its backup: what was written since then never was. */
async function restore(world: World, side: Proxied | undefined): Promise<void> {
  const backup = side && world.backups.get(side.plane.name);
  if (!backup) return;
  const { plane } = side;
  world.tell(`${plane.name}: restored`);
  const { span } = await timed(async () => {
    await restoreStore(plane, backup.folder);
    await start(plane);
  });
  if (backup.page) cellOf(world, side)?.ledger.restore(backup.page, span);
  if (backup.foreign) world.foreign = new Map(backup.foreign);
}

/** Its own word that it is ready comes before it has found its store again. */
async function start(plane: Plane): Promise<void> {
  await plane.start();
  const paths = ['/readyz', resourcePath({ resource: ENDPOINT_SLICES }), resourcePath({ resource: NAMESPACES })];
  const isUp = async () => (await Promise.all(paths.map((path) => plane.admin.status(path)))).every((status) => status === 200);
  await eventually(`${plane.name} is up`, isUp, { deadlineMs: START_MS });
}

function pickUp(world: World, random: Random): Proxied | undefined {
  const side = random.pick(sidesOf(world));
  return world.down.has(side.plane.name) ? undefined : side;
}

function cellOf({ cells }: World, { plane }: Proxied): TorturedCell | undefined {
  return cells.find(({ name }) => name === plane.name);
}
