import { ENDPOINT_SLICES } from '#api/resources.ts';
import type { Random } from '#e2e/simulation/random.ts';
import type { Action } from '#e2e/simulation/world/cell-actions.ts';
import { isOutage, type WeatherName, WEATHERS } from '#e2e/simulation/network/weather.ts';
import type { World } from '#e2e/simulation/world/world.ts';

/** What happens to networks, servers and clocks. */
export const WEATHER_ACTIONS = {
  weather: (world, random) => change(world, random, random.pick(NAMES)),
  clear: (world, random) => change(world, random, 'calm'),
  cutWatches: (world, random) => pickServer(world, random).cut(),
  forget: (world, random) => {
    const server = pickServer(world, random);
    server.compact();
    server.cut();
  },
  backUp: (world, random) => {
    const cluster = world.clusterOf(random.pick(world.cells));
    cluster.backups.push(cluster.server.backUp());
  },
  restore: (world, random) => {
    const { server, backups } = world.clusterOf(random.pick(world.cells));
    const [last] = backups.slice(-1);
    if (last) server.restore(last);
  },
  loseStore: (world, random) => {
    const cluster = world.clusterOf(random.pick(world.cells));
    const share = random.pick([0.6, 0.8, 1]);
    const slices = cluster.server.list(ENDPOINT_SLICES).filter(() => random.chance(share));
    cluster.lost.push(
      ...cluster.server.lose(slices.map(({ metadata: { namespace, name } }) => ({ resource: ENDPOINT_SLICES, namespace, name }))),
    );
  },
  findStore: (world, random) => {
    const { server, lost } = world.clusterOf(random.pick(world.cells));
    server.find(lost.splice(random.chance(0.5) ? 0 : lost.length >> 1));
  },
  jumpWall: (world, random) => world.clock.jumpWall(random.integer(-600_000, 600_000)),
} satisfies Record<string, Action>;

/** Ends every fault. What hangs already goes on hanging until somebody gives up. */
export function clearUp(world: World): void {
  for (const { link } of [{ link: world.hubLink }, ...world.cells]) link.become('calm');
}

const NAMES = Object.keys(WEATHERS).filter((name): name is WeatherName => name in WEATHERS);

function change(world: World, random: Random, weather: WeatherName): void {
  const at = random.integer(0, world.cells.length);
  const cell = world.cells[at];
  (cell?.link ?? world.hubLink).become(weather);
  if (isOutage(weather) && random.chance(0.5)) (cell ? world.clusterOf(cell).server : world.hub).cut();
}

function pickServer(world: World, random: Random) {
  return random.pick([world.hub, ...world.cells.map((cell) => world.clusterOf(cell).server)]);
}
