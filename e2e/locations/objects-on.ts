import type { KubeObject } from '#api/objects.ts';
import type { Resource } from '#api/resources.ts';
import { isNotFound } from '#kube/errors.ts';
import { apiVersionOf, isObject } from '#kube/objects.ts';
import { resourcePath } from '#kube/paths.ts';
import type { Admin } from '#planes/admin.ts';

/** Where an object is. */
export type Place = { resource: Resource; namespace?: string; name: string };

/** Objects of any kind on one plane as its admin sees them: what tests set up, break and look at. */
export type ObjectsOn = {
  /** Undefined where there is none. */
  read(place: Place): Promise<KubeObject | undefined>;
  list(resource: Resource): Promise<KubeObject[]>;
  /** Makes it so, as far as the given fields go; with another name for the manager, as somebody else. */
  apply(place: Place, fields: { metadata?: object; [field: string]: unknown }): Promise<void>;
  /** JSON merge patch: `null` removes a key. `subresource` is `status`, say. */
  patch(place: Place, patch: object, subresource?: string): Promise<void>;
  /** Fine where it is gone already. */
  remove(place: Place): Promise<void>;
};

/** The admin's hands on objects. */
export function objectsOn(admin: Admin): ObjectsOn {
  return {
    async read(place) {
      try {
        const object = await admin.ask({ path: resourcePath(place) });
        return isObject(object) ? object : undefined;
      } catch (error) {
        if (isNotFound(error)) return undefined;
        throw error;
      }
    },
    async list(resource) {
      const list = (await admin.ask({ path: resourcePath({ resource }) })) as { items: KubeObject[] };
      return list.items;
    },
    async apply({ resource, namespace, name }, { metadata, ...fields }) {
      const place = { resource, namespace, name };
      const object = { apiVersion: apiVersionOf(resource), kind: resource.kind, metadata: { namespace, name, ...metadata }, ...fields };
      await admin.apply(resourcePath(place), object);
    },
    async patch(place, patch, subresource) {
      const path = resourcePath(place) + (subresource === undefined ? '' : `/${subresource}`);
      await admin.ask({ method: 'PATCH', path, body: patch, contentType: 'application/merge-patch+json' });
    },
    async remove(place) {
      try {
        await admin.ask({ method: 'DELETE', path: resourcePath(place) });
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
    },
  };
}
