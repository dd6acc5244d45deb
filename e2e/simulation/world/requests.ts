import type { KubeObject } from '#api/objects.ts';
import { ENDPOINT_SLICES } from '#api/resources.ts';
import type { ApiRequest } from '#kube/transport.ts';

/** The slice that a path is about; undefined for every other path. */
export function sliceAddress(path: string): { resource: typeof ENDPOINT_SLICES; namespace: string; name: string } | undefined {
  const [, namespace, name] = /^\/apis\/discovery\.k8s\.io\/v1\/namespaces\/([^/]+)\/endpointslices\/([^/]+)$/.exec(path) ?? [];
  return namespace === undefined || name === undefined
    ? undefined
    : { resource: ENDPOINT_SLICES, namespace, name: decodeURIComponent(name) };
}

/** How the judge names an object of one kind: `namespace/name`. Its own, since nothing here may be taken from `mirror/`. */
export function keyOf({ metadata: { namespace = '', name } }: KubeObject): string {
  return `${namespace}/${name}`;
}

/** What a request asks for, as tallies name it. */
export function verbOf({ method, path, query }: ApiRequest): string {
  if (method === 'PATCH') return path.endsWith('/status') ? 'apply status' : 'apply';
  if (method !== 'GET') return method.toLowerCase();
  if (query?.['watch'] === '1') return 'watch';
  return query?.['limit'] === undefined ? 'get' : 'list';
}
