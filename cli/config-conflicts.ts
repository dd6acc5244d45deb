import { resolve } from 'node:path';

/** Something wrong with the value at `path`, without its place in the file. */
export type Fact = { path: (string | number)[]; message: string };

/**
 * What two cells may not have in common: a name, a configured location, or the very same connection.
 * Two cells of one location would withdraw each other's copies; one cluster under two names would publish everything twice.
 * Takes the file's content before it was checked, so that these facts are told together with all others.
 */
export function findConflicts(content: unknown): Fact[] {
  const cells = Array.isArray(field(content, 'cells')) ? field(content, 'cells') : [];
  if (!Array.isArray(cells)) return [];
  return [
    ...findRepeated(cells, 'name', (cell) => text(field(cell, 'name'))),
    ...findRepeated(cells, 'location', (cell) => text(field(cell, 'location'))),
    ...findRepeated(cells, 'kubeconfig', connection),
  ];
}

/** Tells every cell after the first that has the same value. */
function findRepeated(cells: unknown[], key: string, valueOf: (cell: unknown) => string | undefined): Fact[] {
  const first = new Map<string, number>();
  return cells.flatMap((cell, at) => {
    const value = valueOf(cell);
    if (value === undefined) return [];
    const earlier = first.get(value);
    if (earlier === undefined) first.set(value, at);
    return earlier === undefined ? [] : [{ path: ['cells', at, key], message: `is the same as that of cells.${earlier}` }];
  });
}

function connection(cell: unknown): string | undefined {
  const kubeconfig = text(field(cell, 'kubeconfig'));
  return kubeconfig === undefined ? undefined : JSON.stringify([resolve('/', kubeconfig), text(field(cell, 'context'))]);
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function field(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.getOwnPropertyDescriptor(value, key)?.value;
}
