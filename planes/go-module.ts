import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Family } from '#planes/programs.ts';
import { TerminalError } from '#kube/errors.ts';

/** One of the Go modules that pin what is built. */
export type GoModule = {
  family: Family;
  folder: string;
  /** The Go module that holds the programs. */
  path: string;
  /** Its version: `v1.36.3`. */
  version: string;
  /** The Go release that it asks for: `1.26.0`. */
  goVersion: string;
  /** Name of the family's folder in the cache: another version, dependency, recipe or platform is another folder. */
  key: string;
};

/** Raise it when the way of building changes, so that programs built the old way are not found any more. */
const RECIPE = '1';

const MODULE_PATHS: Readonly<Record<Family, string>> = {
  etcd: 'go.etcd.io/etcd/server/v3',
  kubernetes: 'k8s.io/kubernetes',
  karmada: 'github.com/karmada-io/karmada',
};

/**
 * Reads which version of a family is pinned. The `go.mod` file is the only place where a version is written.
 * @throws {TerminalError} `BadModule` when the file does not name the module or a Go release.
 */
export function readGoModule(family: Family, modulesFolder: string = join(import.meta.dirname, 'modules')): GoModule {
  const folder = join(modulesFolder, family);
  const text = readFileSync(join(folder, 'go.mod'), 'utf8');
  const sums = readFileSync(join(folder, 'go.sum'), 'utf8');
  const path = MODULE_PATHS[family];
  const version = requiredVersion(text, path);
  const goVersion = /^go (\S+)$/m.exec(text)?.[1];
  if (version === undefined || goVersion === undefined) {
    throw new TerminalError('BadModule', `Cannot read go.mod of "${family}": no version of ${path}, or no go line`);
  }
  const pinned = hash('sha256', [RECIPE, text, sums].join('\0')).slice(0, 8);
  return { family, folder, path, version, goVersion, key: cacheKey({ family, version, pinned }) };
}

/** `kubernetes-v1.36.3-linux-x64-1a2b3c4d`: everything that makes one build differ from another. */
export function cacheKey({ family, version, pinned }: { family: Family; version: string; pinned: string }): string {
  return [family, version, process.platform, process.arch, pinned].join('-');
}

/** The required version of a module in the text of a go.mod file, replacements left aside. */
export function requiredVersion(goMod: string, path: string): string | undefined {
  for (const line of goMod.split('\n')) {
    const [first, second, third] = line
      .trim()
      .replace(/^require\s+/, '')
      .split(/\s+/);
    if (first === path && second?.startsWith('v') && (third === undefined || third === '//')) return second;
  }
  return undefined;
}
