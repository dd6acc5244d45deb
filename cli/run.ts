import { collectDefaultMetrics, Registry } from '@prometheus-io/client';
import { startEndpoints } from '#cli/endpoints.ts';
import { leaveOnFault } from '#cli/leave-on-fault.ts';
import { liveUntilStopped } from '#cli/lifetime.ts';
import { createLog } from '#cli/logger.ts';
import { parseConfig } from '#cli/parse-config.ts';
import { readConfigText } from '#cli/read-config.ts';
import type { Standing } from '#cli/readiness.ts';
import { runService } from '#cli/service.ts';
import type { ServiceOptions } from '#cli/service.ts';
import { listenForStop } from '#cli/stop-signals.ts';
import { systemClock } from '#kube/clock.ts';

/**
 * Runs the service until a signal stops it, and answers with the exit code.
 * @throws {ConfigError} when the configuration in `file` cannot be used: nothing was started.
 */
export async function run(file: string): Promise<number> {
  const text = await readConfigText(file);
  const config = parseConfig(text, file);
  const log = createLog(config.log.level);
  const leave = (exitCode: number) => process.exit(exitCode);
  const stop = new AbortController();
  const offs = [leaveOnFault({ source: process, log, leave }), listenForStop({ source: process, stop, log, leave })];
  try {
    return await serve({ file, text, config, log, registry: new Registry() }, stop.signal);
  } finally {
    for (const off of offs) off();
  }
}

/** Health is served from before the first connection until after the last. */
async function serve(options: Omit<ServiceOptions, 'show'>, stop: AbortSignal): Promise<number> {
  const { config, file, log, registry } = options;
  let standing = (): Standing => ({ hubObserved: false, waitingFor: [], cells: [], projects: [] });
  const endpoints = await startEndpoints({ address: config.server.address, registry, standing: () => standing() });
  log.info({ address: endpoints.address, file, count: config.cells.length }, 'Serving health and metrics');
  collectDefaultMetrics({ register: registry });
  const show = (next: () => Standing) => {
    standing = next;
  };
  try {
    const work = (signal: AbortSignal) => runService({ ...options, show }, signal);
    return await liveUntilStopped({ work, stop, clock: systemClock, log });
  } finally {
    await endpoints.close();
  }
}
