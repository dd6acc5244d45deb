import { UPSTREAM_CLUSTER_PREFIX as PREFIX } from '#api/names.ts';

/**
 * The value of the upstream-cluster-name key for a project (contract section 1): `cluster-` + name, every `/` as `_`.
 * Undefined for an empty name: `cluster-` alone is never written, the label is left out.
 */
export function encodeUpstreamCluster(project: string): string | undefined {
  return project === '' ? undefined : PREFIX + project.replaceAll('/', '_');
}

/**
 * The project behind a value of the upstream-cluster-name key: `_` to `/`, one leading `cluster-` and then one leading `/`
 * (an old form) stripped. Undefined when nothing is left.
 */
export function decodeUpstreamCluster(value: string): string | undefined {
  const slashed = value.replaceAll('_', '/');
  const bare = slashed.startsWith(PREFIX) ? slashed.slice(PREFIX.length) : slashed;
  return (bare.startsWith('/') ? bare.slice(1) : bare) || undefined;
}
