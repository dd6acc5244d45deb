import { Gauge, type Registry } from '@prometheus-io/client';
import type { BareCondition } from '#writeback/cell-conditions.ts';

/** The conditions that one cell has now, whether or not its report could be written. */
export type ConditionsOfCell = { cell: string; conditions: readonly BareCondition[] };

/**
 * Registers `fedhub_cell_condition`: one series with the value 1 for each condition of each cell, in the state that it has when metrics are
 * scraped. So a fenced cell shows also where it has no slice that could be held (contract section 5, "Identity and epochs").
 */
export function registerConditionGauge(registry: Registry, read: () => readonly ConditionsOfCell[]): void {
  const gauge = new Gauge({
    name: 'fedhub_cell_condition',
    help: 'Conditions of the CellReports, each with the value 1 in the state that it has',
    labelNames: ['plane', 'type', 'status', 'reason'],
    registers: [registry],
    collect() {
      gauge.reset();
      for (const { cell: plane, conditions } of read())
        for (const { type, status, reason } of conditions) gauge.set({ plane, type, status, reason }, 1);
    },
  });
}
