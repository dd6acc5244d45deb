import type { GuardRule } from '#e2e/simulation/world/guard-rule.ts';
import type { Looks } from '#e2e/simulation/world/looks.ts';
import type { ToldReports } from '#e2e/simulation/world/told-reports.ts';
import type { SimulatedCell, World } from '#e2e/simulation/world/world.ts';

/** What a rule goes by: the world as it is, and what one run of the service has read of it by now. */
export type Knowledge = {
  world: World;
  looks: Looks;
  reports: ToldReports;
  /** What may be believed of a cell. */
  guardOf: (cell: SimulatedCell) => GuardRule;
};
