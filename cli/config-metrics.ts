import { Counter } from '@prometheus-io/client';
import type { Registry } from '@prometheus-io/client';

/** How a changed configuration file was taken. */
export type ConfigResult = 'used' | 'refused';

/** Registers `fedhub_config_changes_total`, each series at 0, and gives back what counts a change. */
export function createConfigMetrics(registry: Registry): (result: ConfigResult) => void {
  const changes = new Counter({
    name: 'fedhub_config_changes_total',
    help: 'Changes of the configuration file by whether they were used',
    labelNames: ['result'],
    registers: [registry],
  });
  for (const result of ['used', 'refused'] as const) changes.inc({ result }, 0);
  return (result) => changes.inc({ result });
}
