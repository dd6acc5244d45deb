import { setTimeout as sleep } from 'node:timers/promises';
import { changeTimes, latencies } from '#bench/change-times.ts';
import { LOCATION, sourceName, type Stage, startAndPublish } from '#bench/stage.ts';
import { eventually } from '#e2e/eventually.ts';
import { auditOf } from '#e2e/scenario/hub-side.ts';
import { slicesOf } from '#e2e/scenario/slices.ts';
import { ADMIN_USER, SERVICE_USER } from '#planes/plane-files.ts';

/** Latencies of changes in milliseconds, with the cell swept over and over and without; and how many sweeps there were. */
export type LiveLatency = { swept: number[]; still: number[]; sweeps: number };

/** Between two changes, in milliseconds: faster than pods come and go, slow enough that none waits for the one before. */
const PACE_MS = 25;
/** Rounds of each kind, in turns. */
const ROUNDS = 2;
/** Five times as often as the shortest interval that anybody asked for; 600 times as often as by default. */
const OVER_AND_OVER = '1s';
const NEVER = '24h';

/** Changes `changes` of `slices` sources in each round, one after the other, as pods that change do. */
export async function measureLatency(stage: Stage, { slices, changes }: { slices: number; changes: number }): Promise<LiveLatency> {
  const found: LiveLatency = { swept: [], still: [], sweeps: 0 };
  for (let round = 0; round < ROUNDS * 2; round += 1) {
    const isSwept = round % 2 === 0;
    stage.configure({ sweepInterval: isSwept ? OVER_AND_OVER : NEVER });
    await startAndPublish(stage, slices);
    const before = await sweepsOf(stage);
    const times = await changeSome(stage, { slices, changes, round });
    found[isSwept ? 'swept' : 'still'].push(...times);
    if (isSwept) found.sweeps += (await sweepsOf(stage)) - before;
    await stage.service.stop();
  }
  return found;
}

async function changeSome(
  { hub, cell, namespace }: Stage,
  { slices, changes, round }: { slices: number; changes: number; round: number },
): Promise<number[]> {
  const [hubMark, cellMark] = [auditOf(hub).length, auditOf(cell).length];
  const patch = { endpoints: [{ addresses: [`fd20::${(round + 1).toString(16)}`] }] };
  const step = Math.max(1, Math.floor(slices / changes));
  for (let change = 0; change < changes; change += 1) {
    await slicesOf(cell.admin).patch({ namespace, name: sourceName((change * step) % slices) }, patch);
    await sleep(PACE_MS);
  }
  const changed = changeTimes(auditOf(cell).slice(cellMark), { user: ADMIN_USER, prefix: '' });
  const look = () => latencies(changed, changeTimes(auditOf(hub).slice(hubMark), { user: SERVICE_USER, prefix: `vpc-${LOCATION}.` }));
  return eventually('every change has arrived', look, { intervalMs: 500 });
}

function sweepsOf({ cell, service }: Stage): Promise<number> {
  return service.metric('fedhub_sweeps_total', { plane: cell.name, result: 'complete' });
}
