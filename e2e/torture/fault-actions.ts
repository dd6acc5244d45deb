import type { Proxied } from '#e2e/scenario/proxied.ts';
import { drawFault } from '#e2e/torture/draw-fault.ts';
import type { DrawnFault } from '#e2e/torture/draw-fault.ts';
import { count } from '#e2e/torture/tally.ts';
import { sidesOf } from '#e2e/torture/world.ts';
import type { Action, World } from '#e2e/torture/world.ts';

/** What goes wrong between the service and the planes. */
export const FAULT_ACTIONS = {
  fault: async (world, random) => {
    const side = random.pick(sidesOf(world));
    const drawn = drawFault(random);
    world.tell(`${side.plane.name}: ${describeFault(drawn)}`);
    inflict(world, side, drawn);
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

function inflict(world: World, { faults, proxy }: Proxied, drawn: DrawnFault): void {
  const { kind } = drawn;
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
