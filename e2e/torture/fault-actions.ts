import type { Random } from '#e2e/simulation/random.ts';
import type { Proxied } from '#e2e/scenario/proxied.ts';
import { drawFault } from '#e2e/torture/draw-fault.ts';
import type { DrawnFault } from '#e2e/torture/draw-fault.ts';
import { count } from '#e2e/torture/tally.ts';
import { sidesOf } from '#e2e/torture/world.ts';
import type { Action, World } from '#e2e/torture/world.ts';

/** Things that go wrong at one plane at the same time: alone, none of them may show what only two of them do. */
const STORM = 4;

/** What goes wrong between the service and the planes. */
export const FAULT_ACTIONS = {
  fault: async (world, random) => inflict(world, random.pick(sidesOf(world)), random),
  storm: async (world, random) => {
    const side = random.pick(sidesOf(world));
    for (let at = 0; at < STORM; at += 1) inflict(world, side, random);
    if (random.chance(0.5)) side.proxy.cut();
  },
  calm: async (world, random) => calm(random.pick(sidesOf(world))),
} satisfies Record<string, Action>;

/** Ends every fault, and whatever request still waits because of one. What fell silent stays so. */
export function endFaults(world: World): void {
  for (const side of sidesOf(world)) {
    calm(side);
    side.proxy.cut();
  }
  for (const { kind, rule } of world.rules) count(world.faults, kind, rule.strikes);
  world.rules = [];
}

function calm({ faults, proxy }: Proxied): void {
  faults.clear();
  proxy.heal();
}

function inflict(world: World, { faults, proxy, plane }: Proxied, random: Random): void {
  const drawn = drawFault(random, plane.name === world.stage.hub.plane.name ? 'hub' : 'cell');
  const { kind } = drawn;
  world.tell(`${plane.name}: ${describeFault(drawn)}`);
  if (drawn.of === 'connections') {
    count(world.faults, kind);
    proxy[drawn.fault]();
  } else if (drawn.of === 'events') {
    world.rules.push({ kind, rule: faults.event(drawn.match, drawn.fault, drawn.strikes) });
  } else {
    world.rules.push({ kind, rule: faults.request(drawn.match, drawn.fault, drawn.strikes) });
  }
}

function describeFault(drawn: DrawnFault): string {
  if (drawn.of === 'connections') return drawn.kind;
  const { match, fault, strikes, kind } = drawn;
  const shown = JSON.stringify(match, (_key, value: unknown) => (value instanceof RegExp ? String(value) : value));
  return `${kind} ${JSON.stringify(fault)} for ${shown}, at most ${strikes.times} times`;
}
