import type { KubeObject } from '#api/objects.ts';
import type { Resource } from '#api/resources.ts';
import { ENDPOINT_SLICES, NAMESPACES } from '#api/resources.ts';
import { applyObject } from '#kube/apply.ts';
import type { Client } from '#kube/client.ts';
import { deleteObject } from '#kube/delete.ts';
import { getObject } from '#kube/get.ts';

/** One API server under test, and what a test may do to it from outside. */
export type ContractServer = {
  /** A client with every right. */
  client: Client;
  /** A client of a user who has no right at all. */
  stranger: Client;
  /** Makes everything up to now history that the server no longer has. Connections are lost over it. */
  forgetHistory(): Promise<void>;
  goAway(): Promise<void>;
  comeBack(): Promise<void>;
  /** Keeps the present data, for `goBack`. */
  keepData(): Promise<void>;
  /** Restarts with the data that was kept. */
  goBack(): Promise<void>;
  /** Connections stay open and nothing is answered. */
  freeze(): void;
  thaw(): void;
};

/** A kind that no server has before it is installed. Everything below its metadata is kept as it is. */
export const WIDGETS: Resource = { group: 'test.example.com', version: 'v1alpha', kind: 'Widget', plural: 'widgets', namespaced: true };

const CRDS: Resource = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  namespaced: false,
};

/** Long enough for anything that a test waits for by a promise of its own. */
export const signal = new AbortController().signal;

const applying = { fieldManager: 'contract', force: true, signal };

/** Makes a namespace that no other test uses, and answers with its name. */
export async function makeNamespace(client: Client): Promise<string> {
  const name = `n-${crypto.randomUUID()}`;
  await applyObject(client, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }, { ...applying, resource: NAMESPACES });
  return name;
}

/** A slice as a test writes it. */
export function sliceNamed(namespace: string, name: string, labels: Record<string, string> = {}): KubeObject {
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name, namespace, labels },
    addressType: 'IPv6',
    endpoints: [],
  };
}

/** Applies a slice, and answers with it as the server holds it. */
export async function putSlice(client: Client, slice: KubeObject): Promise<KubeObject> {
  return (await applyObject(client, slice, { ...applying, resource: ENDPOINT_SLICES })).object;
}

/** Deletes a slice, whatever it looks like now. */
export async function removeSlice(client: Client, namespace: string, name: string): Promise<void> {
  const ref = { resource: ENDPOINT_SLICES, namespace, name };
  const { metadata } = await getObject(client, ref, { signal });
  await deleteObject(client, ref, { uid: metadata.uid ?? '', resourceVersion: metadata.resourceVersion ?? '', signal });
}

/** Has the server serve widgets. It does so a moment later. */
export async function installWidgets(client: Client): Promise<void> {
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  const crd = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: CRD_NAME },
    spec: {
      group: WIDGETS.group,
      scope: 'Namespaced',
      names: { kind: WIDGETS.kind, plural: WIDGETS.plural, singular: 'widget', listKind: 'WidgetList' },
      versions: [{ name: WIDGETS.version, served: true, storage: true, schema }],
    },
  };
  await applyObject(client, crd, { ...applying, resource: CRDS });
}

/** Has the server no longer serve widgets. It does so a moment later. */
export async function removeWidgets(client: Client): Promise<void> {
  const ref = { resource: CRDS, name: CRD_NAME };
  const { metadata } = await getObject(client, ref, { signal });
  await deleteObject(client, ref, { uid: metadata.uid ?? '', resourceVersion: metadata.resourceVersion ?? '', signal });
}

const CRD_NAME = `${WIDGETS.plural}.${WIDGETS.group}`;
