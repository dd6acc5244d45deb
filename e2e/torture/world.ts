import { UPSTREAM_CLUSTER_NAME, UPSTREAM_NAMESPACE } from '#api/keys.ts';
import { isApiError } from '#kube/errors.ts';
import type { CellSide } from '#e2e/scenario/cell-side.ts';
import { createNamespace } from '#e2e/scenario/slices.ts';
import type { Proxied } from '#e2e/scenario/proxied.ts';
import type { RuleInForce } from '#e2e/proxy/script.ts';
import { Ledger } from '#e2e/torture/ledger.ts';
import type { LedgerPage } from '#e2e/torture/ledger.ts';
import type { Version } from '#e2e/torture/oracle.ts';
import type { Stage } from '#e2e/torture/stage.ts';
import type { Tally } from '#e2e/torture/tally.ts';
import type { Random } from '#e2e/simulation/random.ts';

/** A cell with the record of what its sources were like. */
export type TorturedCell = CellSide & { ledger: Ledger };

/** A copy of a plane's store, and what was in it as far as the judges must know. */
export type Backup = { folder: string; page?: LedgerPage; foreign?: ReadonlyMap<string, Version> };

/** All that one schedule acts upon, and what it has done so far. */
export type World = {
  stage: Stage;
  cells: TorturedCell[];
  /** The schedule's own, on the hub and in every cell. */
  namespaces: string[];
  /** Objects of others on the hub under copies' names, by `namespace/name`. */
  foreign: Map<string, Version>;
  /** By the plane's name. */
  backups: Map<string, Backup>;
  /** Planes of which something has been killed, by name. */
  down: Set<string>;
  /** False while a step has ended the service. */
  serving: boolean;
  rules: { kind: string; rule: RuleInForce }[];
  faults: Tally;
  /** Told what happens in detail, for whoever reads a failed schedule. */
  tell(line: string): void;
};

/** Something that somebody does to the world, by chance alone. */
export type Action = (world: World, random: Random) => Promise<void>;

/** Labels that route every namespace of a run. */
export const ROUTING = { [UPSTREAM_CLUSTER_NAME]: 'cluster-torture', [UPSTREAM_NAMESPACE]: 'default' };

/** A new world on the stage, with namespaces that nobody has had before. */
export async function createWorld(
  stage: Stage,
  options: { namespaces: string[]; faults: Tally; tell(line: string): void },
): Promise<World> {
  for (const name of options.namespaces) {
    for (const { plane } of [stage.hub, ...stage.cells]) await createNamespace(plane.admin, { name, labels: ROUTING });
  }
  return {
    ...options,
    stage,
    cells: stage.cells.map((cell) => ({ ...cell, ledger: new Ledger() })),
    foreign: new Map(),
    backups: new Map(),
    down: new Set(),
    serving: true,
    rules: [],
  };
}

/** The hub and the cells. */
export function sidesOf({ stage: { hub }, cells }: World): Proxied[] {
  return [hub, ...cells];
}

/** One of those cells that can be asked now. */
export function pickCell({ cells, down }: World, random: Random): TorturedCell | undefined {
  const up = cells.filter(({ name }) => !down.has(name));
  return up.length === 0 ? undefined : random.pick(up);
}

/** What an attempt answers; undefined where the server refused it: gone, there already, in a namespace that ends, immutable. */
export async function unlessRefused<T>(attempt: Promise<T>): Promise<T | undefined> {
  return attempt.catch((error: unknown) => {
    if (isApiError(error, 'NotFound', 'Conflict', 'Forbidden', 'Invalid')) return undefined;
    throw error;
  });
}
