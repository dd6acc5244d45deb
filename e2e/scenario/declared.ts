import assert from 'node:assert/strict';
import * as keys from '#api/keys.ts';
import type { KubeObject } from '#api/objects.ts';
import type { Resource } from '#api/resources.ts';
import type { Place } from '#e2e/locations/objects-on.ts';
import { objectsOn } from '#e2e/locations/objects-on.ts';
import type { HubSide } from '#e2e/scenario/hub-side.ts';
import type { ProjectNamespace, ProjectSide } from '#e2e/scenario/project-side.ts';
import type { Service } from '#e2e/service.ts';
import { labelValue } from '#mirror/label-value.ts';

/** Where a declared object is. */
export type DeclaredPlace = { resource: Resource; namespace: ProjectNamespace; name: string };

/** One object that a project declares, there or not, and its copy on the hub. */
export class Declared {
  readonly place: Place;
  /** Where its copy belongs. */
  readonly copyPlace: Place;
  readonly #namespace: ProjectNamespace;
  readonly #project: ProjectSide;
  readonly #hub: HubSide;
  readonly #service: Service;

  constructor(
    { resource, namespace, name }: DeclaredPlace,
    { project, hub, service }: { project: ProjectSide; hub: HubSide; service: Service },
  ) {
    this.place = { resource, namespace: namespace.name, name };
    this.copyPlace = { resource, namespace: namespace.hubName, name };
    this.#namespace = namespace;
    this.#project = project;
    this.#hub = hub;
    this.#service = service;
  }

  /** Declares it, or declares it otherwise. */
  async declare(fields: { metadata?: object; [field: string]: unknown }): Promise<this> {
    await this.#project.objects.apply(this.place, fields);
    return this;
  }

  /** Declares it and waits for its copy. */
  async publish(fields: { metadata?: object; [field: string]: unknown }): Promise<this> {
    await this.declare(fields);
    await this.expectCopy();
    return this;
  }

  /** Changes it by a JSON merge patch. */
  async patch(patch: object): Promise<void> {
    await this.#project.objects.patch(this.place, patch);
  }

  async delete(): Promise<void> {
    await this.#project.objects.remove(this.place);
  }

  /** Its copy right now, or undefined. */
  copy(): Promise<KubeObject | undefined> {
    return objectsOn(this.#hub.plane.admin).read(this.copyPlace);
  }

  /** Changes the copy by hand, by a JSON merge patch. */
  async patchCopy(patch: object): Promise<void> {
    await objectsOn(this.#hub.plane.admin).patch(this.copyPlace, patch);
  }

  /** Deletes the copy by hand. */
  async deleteCopy(): Promise<void> {
    await objectsOn(this.#hub.plane.admin).remove(this.copyPlace);
  }

  /** Waits until the hub holds exactly the copy that the object as it is now calls for, and returns it. */
  async expectCopy(): Promise<KubeObject> {
    return this.#service.eventually(`the hub holds the copy of ${this.place.name}`, async () => {
      const [source, copy] = await Promise.all([this.#project.objects.read(this.place), this.copy()]);
      assert.ok(source && copy, `source ${source ? 'present' : 'absent'}, copy ${copy ? 'present' : 'absent'}`);
      assert.deepEqual(contentOf(copy), this.#expected(source));
      return copy;
    });
  }

  /** Waits until the hub holds no copy of it. */
  async expectNoCopy(): Promise<void> {
    await this.#service.eventually(`the copy of ${this.place.name} is gone`, async () => (await this.copy()) === undefined);
  }

  /** Written down from contract section 3 and not taken from the service: an error there must show here. */
  #expected(source: KubeObject) {
    const upstream = {
      [keys.UPSTREAM_CLUSTER_NAME]: `cluster-${this.#project.name.replaceAll('/', '_')}`,
      [keys.UPSTREAM_NAMESPACE]: this.#namespace.name,
      [keys.UPSTREAM_GROUP]: this.place.resource.group,
      [keys.UPSTREAM_KIND]: this.place.resource.kind,
      [keys.UPSTREAM_NAME]: source.metadata.name,
    };
    const long = Object.entries(upstream).filter(([, value]) => value.length > 63);
    return {
      spec: source['spec'],
      labels: {
        ...propagated(source),
        ...Object.fromEntries(Object.entries(upstream).map(([key, value]) => [key, labelValue(value)])),
      },
      annotations: {
        ...Object.fromEntries(long),
        [keys.SOURCE_UID]: source.metadata.uid,
        [keys.SOURCE_CLUSTER_UID]: this.#project.clusterUid,
      },
      ownerReferences: undefined,
      finalizers: undefined,
    };
  }
}

/** Networks carry no label on; of the others, those two by which Karmada finds the cell. */
function propagated({ kind, metadata }: KubeObject): Record<string, string> {
  const carried = kind === 'NetworkContext' || kind === 'Subnet' ? [keys.LOCATION, keys.NETWORK] : [];
  return Object.fromEntries(Object.entries(metadata.labels ?? {}).filter(([key]) => carried.includes(key)));
}

function contentOf({ spec, metadata }: KubeObject) {
  const { labels = {}, annotations = {}, ownerReferences, finalizers } = metadata;
  return { spec, labels, annotations, ownerReferences, finalizers };
}
