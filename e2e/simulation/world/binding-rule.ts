import type { KubeObject } from '#api/objects.ts';
import { isObject } from '#kube/objects.ts';
import type { ApiRequest, ApiResponse } from '#kube/transport.ts';
import { count } from '#e2e/simulation/network/link.ts';
import type { ToldReports } from '#e2e/simulation/world/told-reports.ts';
import type { SimulatedCell, World } from '#e2e/simulation/world/world.ts';

/*
 * Which cluster a cell's name stands for is recorded on the hub at first contact, and is an operator's to change (contract
 * section 5, "Identity and epochs").
 */

/** Longer than a request is on its way in good weather. */
const DELAYED_MS = 20;

/** Sends a write of a report on its way, and sees whether it binds a name that is bound already. */
export async function judgeReport(
  { path, body }: ApiRequest,
  { world, told, sentMs, send }: { world: World; told: ToldReports; sentMs: number; send: () => Promise<ApiResponse> },
): Promise<ApiResponse> {
  const cell = world.cells.find(({ name }) => path.split('/').includes(name) || (path.endsWith('/cellreports') && nameIn(body) === name));
  if (!cell) return send();
  const before = world.boundUid(cell);
  const answer = await send();
  const after = world.boundUid(cell);
  // What was long on its way may arrive after an operator's act, and who writes then may not have been told of either.
  const knew = before !== undefined && told.boundUid(cell.name) === before && sentMs > world.clock.monotonicMs() - DELAYED_MS;
  if (knew && after !== before) world.violate(3, `the report of ${cell.name} was bound anew without an operator`);
  if (after === undefined || cell.boundUids.has(after)) return answer;
  count(world.decisions, cell.boundUids.size > 0 ? 'bound to another cluster' : 'bound at first contact');
  cell.boundUids.add(after);
  return answer;
}

function nameIn(body: string | undefined): string | undefined {
  const report: unknown = JSON.parse(body ?? 'null');
  return isObject<KubeObject>(report) ? report.metadata.name : undefined;
}

/**
 * True when that cluster may be published from under the cell's name, by a write that was sent then. What is not recorded yet may be the
 * first contact; what was last told not to be recorded may have been bound since, by another run too, though the hub has forgotten that an
 * operator had it so.
 */
export function isBoundTo(
  cell: SimulatedCell,
  clusterUid: string,
  { world, told, sentMs }: { world: World; told: ToldReports; sentMs: number },
): boolean {
  return world.boundUid(cell) === undefined || told.boundUid(cell.name, sentMs) === undefined || cell.boundUids.has(clusterUid);
}
