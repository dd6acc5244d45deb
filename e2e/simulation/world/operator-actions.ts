import { APPROVE_FROZEN, HOLD_FROZEN } from '#api/keys.ts';
import type { CellReport } from '#api/objects.ts';
import { CELL_REPORTS } from '#api/resources.ts';
import { count } from '#e2e/simulation/network/link.ts';
import type { Action } from '#e2e/simulation/world/cell-actions.ts';
import type { FrozenReading, SimulatedCell, World } from '#e2e/simulation/world/world.ts';

/** What operators write into the reports of cells. */
export const OPERATOR_ACTIONS = {
  readReport: (world) => {
    for (const cell of world.cells) cell.read = frozenOf(world, cell) ?? cell.read;
  },
  approve: (world, random) => {
    const readable = world.cells.filter((cell) => cell.read ?? frozenOf(world, cell));
    if (readable.length === 0) return;
    const cell = random.pick(readable);
    const now = frozenOf(world, cell);
    // Somebody may act on what was read before.
    approve(world, cell, random.chance(0.4) ? (cell.read ?? now) : now);
    cell.read = now ?? cell.read;
  },
  hold: (world, random) => setHold(world, random.pick(world.cells), true),
  letGo: (world, random) => setHold(world, random.pick(world.cells), false),
  bindAnew: (world, random) => {
    const replaced = world.cells.filter(({ clusters }) => clusters.length > 1);
    const cell = random.pick(replaced.length > 0 ? replaced : world.cells);
    cell.boundAnew += 1;
    change(world, cell, (report) => ({ ...report, spec: {} }));
  },
} satisfies Record<string, Action>;

/** True when operators hold what is frozen. */
export function isAnythingHeld(world: World): boolean {
  return world.cells.some((cell) => isHeld(world, cell) && frozenOf(world, cell));
}

/** True when a report says that anything is frozen. */
export function isAnythingFrozen(world: World): boolean {
  return world.cells.some((cell) => frozenOf(world, cell));
}

/** Operators let go of what they hold, and approve what nothing else can release. */
export function settleFrozen(world: World): void {
  for (const cell of world.cells) {
    setHold(world, cell, false);
    if (world.guard.confirmAfterMs === undefined) approve(world, cell, frozenOf(world, cell));
  }
}

function approve(world: World, cell: SimulatedCell, reading: FrozenReading | undefined): void {
  if (!reading) return;
  const onRecord = reading.set === frozenOf(world, cell)?.set;
  count(world.decisions, onRecord ? 'approval' : 'approval of a set that is over');
  cell.approvals.push({ ...reading, onRecord });
  annotate(world, cell, { [APPROVE_FROZEN]: reading.set });
}

function setHold(world: World, cell: SimulatedCell, hold: boolean): void {
  if (hold || isHeld(world, cell)) annotate(world, cell, { [HOLD_FROZEN]: String(hold) });
}

function isHeld(world: World, cell: SimulatedCell): boolean {
  return reportOf(world, cell)?.metadata.annotations?.[HOLD_FROZEN] === 'true';
}

function annotate(world: World, cell: SimulatedCell, annotations: Record<string, string>): void {
  change(world, cell, ({ metadata, ...report }) => ({
    ...report,
    metadata: { ...metadata, annotations: { ...metadata.annotations, ...annotations } },
  }));
}

function change(world: World, cell: SimulatedCell, edit: (report: CellReport) => CellReport): void {
  const report = reportOf(world, cell);
  if (report) world.hub.put({ resource: CELL_REPORTS, name: cell.name }, edit(report), 'an-operator');
}

/** What the report lists as frozen; so few sources that it names them all. */
function frozenOf(world: World, cell: SimulatedCell): FrozenReading | undefined {
  const frozen = reportOf(world, cell)?.status?.frozen;
  return frozen && { set: frozen.set, sources: new Set(frozen.first) };
}

function reportOf(world: World, { name }: SimulatedCell): CellReport | undefined {
  return world.hub.at({ resource: CELL_REPORTS, name });
}
