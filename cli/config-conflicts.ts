import { resolve } from 'node:path';
import { projectIdentity } from '#cli/project-name.ts';

/** Something wrong with the value at `path`, without its place in the file. */
export type Fact = { path: (string | number)[]; message: string };

/**
 * What two entries of one list may not have in common. Two cells of one location, or two projects of one label, would withdraw
 * each other's copies; one cluster under two names would publish everything twice; a kind has one version in a store.
 * Takes the file's content before it was checked, so that these facts are told together with all others.
 */
export function findConflicts(content: unknown): Fact[] {
  return [
    ...findRepeated(content, ['cells'], { name: textOf('name'), location: textOf('location'), kubeconfig: connection }),
    ...findRepeated(content, ['projects'], { name: projectLabel, kubeconfig: connection }),
    ...findRepeated(content, ['replicator', 'kinds'], { kind: groupAndKind }),
  ];
}

type ValueOf = (entry: unknown) => string | undefined;

/** Tells every entry after the first that has the same value in one of the fields. */
function findRepeated(content: unknown, list: string[], fields: Record<string, ValueOf>): Fact[] {
  const entries = list.reduce(field, content);
  if (!Array.isArray(entries)) return [];
  return Object.entries(fields).flatMap(([key, valueOf]) => {
    const first = new Map<string, number>();
    return entries.flatMap((entry: unknown, at) => {
      const value = valueOf(entry);
      const earlier = value === undefined ? undefined : first.get(value);
      if (value !== undefined && earlier === undefined) first.set(value, at);
      return earlier === undefined ? [] : [{ path: [...list, at, key], message: `is the same as that of ${list.join('.')}.${earlier}` }];
    });
  });
}

function connection(plane: unknown): string | undefined {
  const kubeconfig = text(plane, 'kubeconfig');
  return kubeconfig === undefined ? undefined : JSON.stringify([resolve('/', kubeconfig), text(plane, 'context')]);
}

function projectLabel(project: unknown): string | undefined {
  const name = text(project, 'name');
  return name === undefined ? undefined : projectIdentity(name);
}

function groupAndKind(entry: unknown): string | undefined {
  const kind = text(entry, 'kind');
  return kind === undefined ? undefined : JSON.stringify([kind, text(entry, 'group')]);
}

function textOf(key: string): ValueOf {
  return (entry) => text(entry, key);
}

function text(entry: unknown, key: string): string | undefined {
  const value = field(entry, key);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function field(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.getOwnPropertyDescriptor(value, key)?.value;
}
