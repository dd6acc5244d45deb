import type { Resource } from '#api/resources.ts';
import type { ObjectRef } from '#kube/errors.ts';

/**
 * The URL path of an object, or of its collection when the name is absent.
 * A namespaced kind without a namespace is the collection over all namespaces.
 * @throws {TypeError} when a segment could lead elsewhere: an empty name would turn a delete of one object into a delete of all.
 */
export function resourcePath({ resource, namespace, name }: ObjectRef): string {
  if (resource.namespaced && name !== undefined && namespace === undefined) {
    throw new TypeError(`Cannot address ${resource.kind} "${name}": namespace missing`);
  }
  const scope = resource.namespaced && namespace !== undefined ? `/namespaces/${segment(namespace)}` : '';
  const object = name === undefined ? '' : `/${segment(name)}`;
  return `${versionPath(resource)}${scope}/${resource.plural}${object}`;
}

/** The URL path under which a resource's API group and version lists what it serves. */
export function versionPath({ group, version }: Pick<Resource, 'group' | 'version'>): string {
  return group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
}

function segment(name: string): string {
  if (name === '' || name === '.' || name === '..') throw new TypeError(`Cannot address an object named "${name}"`);
  return encodeURIComponent(name);
}
