import { dirname, resolve } from 'node:path';
import { LineCounter, parseDocument } from 'yaml';
import type { z } from 'zod';
import { findConflicts } from '#cli/config-conflicts.ts';
import { configSchema } from '#cli/config-schema.ts';
import { ConfigError } from '#cli/errors.ts';
import type { ConfigIssue } from '#cli/errors.ts';
import type { HubConfig, PaceConfig, PlaneConfig } from '#cli/hub-config.ts';
import { placeAt, placeOfKey, placeOfValue } from '#cli/yaml-place.ts';
import type { YamlText } from '#cli/yaml-place.ts';
import { DEFAULT_KINDS } from '#replicator/replicated-kind.ts';

/**
 * The configuration written in `text`. `file` is its name: it stands in every message, and relative paths start at its folder.
 * @throws {ConfigError} `Invalid`, with every problem at once.
 */
export function parseConfig(text: string, file: string): HubConfig {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const yaml = { document, lines };
  const syntax = findSyntaxIssues(yaml, file);
  // A text that is not YAML has no shape to judge. A key written twice leaves the rest readable.
  if (document.errors.some(({ code }) => code !== 'DUPLICATE_KEY')) throw new ConfigError('Invalid', syntax);

  const content = readContent(yaml, file);
  const parsed = configSchema.safeParse(content, { error: (issue) => (issue.input === undefined ? 'is required' : undefined) });
  const shape = (parsed.error?.issues ?? []).flatMap((issue) => locateIssue(issue, yaml, file));
  const conflicts = findConflicts(content).map((fact) => ({ ...fact, path: fact.path.join('.'), file, ...placeOfValue(yaml, fact.path) }));
  const issues = [...syntax, ...shape, ...conflicts].sort((a, b) => a.line - b.line || a.column - b.column);
  if (issues.length > 0 || parsed.data === undefined) throw new ConfigError('Invalid', issues);
  return toHubConfig(parsed.data, dirname(file));
}

/** @throws {ConfigError} for an alias without its anchor, and for aliases that multiply past all measure. */
function readContent({ document }: YamlText, file: string): unknown {
  try {
    return document.toJS();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new ConfigError('Invalid', [{ file, line: 1, column: 1, path: '', message }]);
  }
}

function findSyntaxIssues({ document, lines }: YamlText, file: string): ConfigIssue[] {
  return [...document.errors, ...document.warnings].map(({ pos, message }) => ({
    file,
    ...placeAt(lines, pos[0]),
    path: '',
    message: message.split('\n', 1)[0] ?? '',
  }));
}

function locateIssue(issue: z.core.$ZodIssue, yaml: YamlText, file: string): ConfigIssue[] {
  const path = issue.path.map((key) => (typeof key === 'number' ? key : String(key)));
  const at = { file, path: path.join('.') };
  if (issue.code !== 'unrecognized_keys') return [{ ...at, ...placeOfValue(yaml, path), message: issue.message }];
  return issue.keys.map((key) => ({ ...at, ...placeOfKey(yaml, path, key), message: `Unrecognized key ${JSON.stringify(key)}` }));
}

type Parsed = z.output<typeof configSchema>;

function toHubConfig({ projectsFrom, replicator, ...parsed }: Parsed, folder: string): HubConfig {
  const at = <P extends PlaneConfig>(plane: P): P => ({ ...plane, kubeconfig: resolve(folder, plane.kubeconfig) });
  return {
    roles: parsed.roles,
    hub: at(parsed.hub),
    cells: parsed.cells.map(at),
    projects: parsed.projects.map(at),
    ...(projectsFrom && { projectsFrom: { directory: resolve(folder, projectsFrom.directory) } }),
    ...(parsed.locations && { locations: at(parsed.locations) }),
    server: parsed.server,
    log: parsed.log,
    writeback: toPace(parsed.writeback),
    replicator: { ...toPace(replicator), kinds: replicator.kinds?.map(({ status: _status, ...kind }) => kind) ?? DEFAULT_KINDS },
  };
}

function toPace({ sweepInterval, retryInterval, idleTimeout, concurrency, shrinkGuard }: Parsed['writeback']): PaceConfig {
  return { sweepIntervalMs: sweepInterval, retryIntervalMs: retryInterval, idleTimeoutMs: idleTimeout, concurrency, shrinkGuard };
}
