import type { KubeObject } from '#api/objects.ts';
import { CELL_REPORTS, ENDPOINT_SLICES, EVENTS, NAMESPACES, type Resource, SERVING_LOCATIONS } from '#api/resources.ts';
import { isRecord } from '#kube/objects.ts';
import { versionPath } from '#kube/paths.ts';

/** What a server is asked for: a version's list of kinds, a collection, or an object. Undefined parts are absent. */
export type Target = { resource: Resource; namespace?: string; name?: string; subresource?: string };

/** Definitions of other kinds. */
export const DEFINITIONS: Resource = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  namespaced: false,
};

/** The kinds that a server serves. */
export class Kinds {
  readonly #byVersion = new Map<string, Map<string, Resource>>();

  constructor(custom: readonly Resource[] = [CELL_REPORTS, SERVING_LOCATIONS]) {
    for (const resource of [NAMESPACES, ENDPOINT_SLICES, EVENTS, DEFINITIONS, ...custom]) this.serve(resource);
  }

  serve(resource: Resource): void {
    const path = versionPath(resource);
    this.#byVersion.set(path, (this.#byVersion.get(path) ?? new Map<string, Resource>()).set(resource.plural, resource));
  }

  /** Serves the kind no longer, in no version. */
  drop({ group, plural }: { group: string; plural: string }): void {
    for (const [version, kinds] of this.#byVersion) {
      if (kinds.get(plural)?.group === group) kinds.delete(plural);
      if (kinds.size === 0) this.#byVersion.delete(version);
    }
  }

  /** The kinds whose objects lie in namespaces. */
  namespaced(): Resource[] {
    return [...this.#byVersion.values()].flatMap((kinds) => [...kinds.values()]).filter(({ namespaced }) => namespaced);
  }

  /** The kinds of one version, as discovery lists them; undefined when the version is not served. */
  list(path: string): Resource[] | undefined {
    const kinds = this.#byVersion.get(path);
    return kinds && [...kinds.values()];
  }

  /** What the path means; undefined when it leads nowhere. */
  find(path: string): Target | undefined {
    const segments = path.split('/').slice(1).map(decodeURIComponent);
    const depth = segments[0] === 'api' ? 2 : 3;
    const kinds = this.#byVersion.get(`/${segments.slice(0, depth).join('/')}`);
    const rest = segments.slice(depth);
    const scoped = rest[0] === 'namespaces' && rest.length > 2 ? rest[1] : undefined;
    const [plural = '', name, subresource] = scoped === undefined ? rest : rest.slice(2);
    const resource = kinds?.get(plural);
    if (!resource || (name !== undefined && resource.namespaced !== (scoped !== undefined))) return undefined;
    return {
      resource,
      ...(scoped !== undefined && { namespace: scoped }),
      ...(name !== undefined && { name }),
      ...(subresource !== undefined && { subresource }),
    };
  }
}

/** The kinds that a definition defines. */
export function definedBy({ spec }: KubeObject): Resource[] {
  if (!isRecord(spec) || !isRecord(spec['names']) || !Array.isArray(spec['versions'])) return [];
  const { group, names, scope, versions } = spec;
  return versions.filter(isRecord).map((version) => ({
    group: String(group),
    version: String(version['name']),
    kind: String(names['kind']),
    plural: String(names['plural']),
    namespaced: scope === 'Namespaced',
  }));
}
