import type { Random } from '#e2e/simulation/random.ts';
import { eventually } from '#e2e/eventually.ts';
import { createNamespace, labelNamespace, readNamespace } from '#e2e/scenario/slices.ts';
import { endFaults } from '#e2e/torture/fault-actions.ts';
import { freeName } from '#e2e/torture/hub-actions.ts';
import { findDifferences } from '#e2e/torture/oracle.ts';
import { mend, serve } from '#e2e/torture/plane-actions.ts';
import { ROUTING } from '#e2e/torture/world.ts';
import type { World } from '#e2e/torture/world.ts';

/**
 * How long the hub may take to be right once nothing fails any more. The longest: a connection that fell silent is noticed after
 * 15 s, a few of them one after another, then a backoff of 10 s or a cell opened anew after 15 s.
 */
const CONVERGES_MS = 120_000;
const NAMESPACE_ENDS_MS = 60_000;
/** Between two looks at everything. */
const LOOK_MS = 250;

/** Ends what goes wrong: faults, planes that are down, a service that is ended, namespaces that are gone or not routed. */
export async function endTrouble(world: World, random: Random): Promise<void> {
  endFaults(world);
  await mend(world);
  await serve(world);
  for (const name of world.namespaces) await restoreNamespace(world, name);
  // What is foreign may stay, and is to be left alone then; or it goes, and the copy is to take its place.
  if (random.chance(0.6)) for (const key of [...world.foreign.keys()]) await freeName(world, key);
}

/** Waits until the hub holds exactly what the sources call for. @throws {Error} With what differs, or with the service's last words. */
export async function converge(world: World): Promise<void> {
  const { service } = world.stage;
  const isRight = async () => {
    const found = (await Promise.all(world.namespaces.map((name) => differencesIn(world, name)))).flat();
    if (found.length > 0) throw new Error(found.join('; '));
    return true;
  };
  await service.eventually('the hub is what the sources call for', isRight, { deadlineMs: CONVERGES_MS, intervalMs: LOOK_MS });
}

async function differencesIn({ stage: { hub }, cells, foreign }: World, namespace: string): Promise<string[]> {
  const hubNamespace = await hub.readNamespace(namespace);
  if (!hubNamespace) return [`${namespace} is not there`];
  const others = [...foreign].filter(([key]) => key.startsWith(`${namespace}/`));
  const seen = cells.map(async ({ location, clusterUid, slices }) => ({ location, clusterUid, sources: await slices.list(namespace) }));
  return findDifferences({
    hubNamespace,
    copies: await hub.slices.list(namespace),
    cells: await Promise.all(seen),
    foreign: new Map(others.map(([key, version]) => [key.slice(namespace.length + 1), version])),
  });
}

/** On the hub it may be about to end, and has to be waited for. */
async function restoreNamespace({ stage: { hub }, cells }: World, name: string): Promise<void> {
  for (const { plane } of cells) await labelNamespace(plane.admin, name, ROUTING);
  const there = async () => (await hub.readNamespace(name))?.metadata;
  const hasEnded = async () => (await there())?.deletionTimestamp === undefined;
  await eventually(`${name} has ended or was not about to`, hasEnded, { deadlineMs: NAMESPACE_ENDS_MS });
  if (await readNamespace(hub.plane.admin, name)) await labelNamespace(hub.plane.admin, name, ROUTING);
  else await createNamespace(hub.plane.admin, { name, labels: ROUTING });
}
