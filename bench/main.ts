import { parseArgs } from 'node:util';
import { type LiveLatency, measureLatency } from '#bench/live-latency.ts';
import { bytesPerSlice, type Footprint, measureMemory } from '#bench/memory-per-slice.ts';
import { quantile } from '#bench/quantile.ts';
import { setStage } from '#bench/stage.ts';
import { endOnceIdle } from '#planes/end-once-idle.ts';
import { startEnvironment } from '#planes/environment.ts';

const { values } = parseArgs({ options: { slices: { type: 'string', default: '5000' }, changes: { type: 'string', default: '300' } } });
const [slices, changes] = [Number(values.slices), Number(values.changes)];
if (!Number.isInteger(slices) || !Number.isInteger(changes) || changes < 1 || slices < changes) {
  process.stderr.write('Usage: --slices 5000 --changes 300, with no more changes than slices\n');
  process.exit(2);
}

endOnceIdle();
const environment = await startEnvironment({ log: say });
try {
  const stage = await setStage(environment);
  const few = Math.ceil(slices / 5);
  say(`Memory of ${few} and of ${slices} slices`);
  tellMemory(await measureMemory(stage, { few, many: slices }));
  say(`${changes} changes among ${slices} slices, with sweeps and without, in turns`);
  tellLatency(await measureLatency(stage, { slices, changes }));
} finally {
  await environment.stop();
}

function tellMemory([small, large]: [Footprint, Footprint]): void {
  const each = bytesPerSlice(small, large);
  for (const { slices: count, heap, resident } of [small, large])
    say(`  ${String(count).padStart(6)} slices   heap ${megabytes(heap)}   resident ${megabytes(resident)}`);
  say(`  each slice more: ${Math.round(each.heap)} bytes of heap, ${Math.round(each.resident)} resident`);
}

function tellLatency({ swept, still, sweeps }: LiveLatency): void {
  for (const share of [0.5, 0.99]) {
    const [with_, without] = [quantile(swept, share), quantile(still, share)];
    say(
      `  p${share * 100}   with sweeps ${with_.toFixed(1)} ms   without ${without.toFixed(1)} ms   ratio ${(with_ / without).toFixed(2)}`,
    );
  }
  say(`  ${sweeps} sweeps meanwhile`);
}

function megabytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(1)} MB`;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
