import type { Resource } from '#api/resources.ts';
import { LOCATION, NETWORK } from '#api/keys.ts';
import { eventually } from '#e2e/eventually.ts';
import { SERVICE_USER } from '#planes/plane-files.ts';
import type { Manifest } from '#planes/manifests.ts';
import type { Plane } from '#planes/plane.ts';

const NETWORKING = { group: 'networking.datumapis.com', version: 'v1alpha', namespaced: true };

/** A tenant's virtual networks. */
export const NETWORKS: Resource = { ...NETWORKING, kind: 'Network', plural: 'networks' };
/** Networks' presences at locations. */
export const NETWORK_CONTEXTS: Resource = { ...NETWORKING, kind: 'NetworkContext', plural: 'networkcontexts' };
/** Address ranges of presences. */
export const SUBNETS: Resource = { ...NETWORKING, kind: 'Subnet', plural: 'subnets' };

/** What a network's owner writes. */
export const networkFields = (spec: object = {}) => ({ spec: { ipam: { mode: 'Auto' }, ...spec } });

/** What is written for a network's presence at a location; with its labels, of which null leaves one out. */
export function contextFields({ network, location }: { network: string; location: string | null }) {
  const labels = { [NETWORK]: network, ...(location !== null && { [LOCATION]: location }) };
  return { metadata: { labels }, spec: { network: { name: network }, location: { name: location ?? 'nowhere' } } };
}

/** A kind of a test's own invention. */
export const invented = (kind: string): Resource => ({
  ...{ group: 'inventions.example.com', version: 'v1alpha', namespaced: true, kind },
  plural: `${kind.toLowerCase()}s`,
});

/** How an invented kind is served: which other versions beside its own, and whether fields that it does not know are dropped. */
export type ServedHow = { otherVersions?: readonly string[]; prunes?: boolean };

/** The definition of an invented kind, whose `spec.known` is always known. */
export function definitionOf(resource: Resource, { otherVersions = [], prunes = false }: ServedHow = {}): Manifest {
  const { group, kind, plural, version } = resource;
  const open = prunes ? {} : { 'x-kubernetes-preserve-unknown-fields': true };
  const spec = { type: 'object', properties: { known: { type: 'string' } }, ...open };
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec } } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind, listKind: `${kind}List`, plural, singular: kind.toLowerCase() },
      versions: [version, ...otherVersions].map((name) => ({ name, served: true, storage: name === version, schema })),
    },
  };
}

/** The service's rights on an invented kind, as an operator would add them. */
export function rightsOn({ group, plural }: Resource, verbs: readonly string[]): Manifest[] {
  const metadata = { name: `fedhub-${plural}` };
  const api = { apiVersion: 'rbac.authorization.k8s.io/v1' };
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: metadata.name };
  const subjects = [{ apiGroup: roleRef.apiGroup, kind: 'User', name: SERVICE_USER }];
  return [
    { ...api, kind: 'ClusterRole', metadata, rules: [{ apiGroups: [group], resources: [plural], verbs }] },
    { ...api, kind: 'ClusterRoleBinding', metadata, roleRef, subjects },
  ];
}

/** Takes an invented kind away with all of its objects, and waits until it is not served. */
export async function undefine({ admin, name }: Plane, { group, version, plural }: Resource): Promise<void> {
  await admin.ask({ method: 'DELETE', path: `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${plural}.${group}` });
  const isGone = async () => (await admin.status(`/apis/${group}/${version}/${plural}`)) === 404;
  await eventually(`${plural} are not served by ${name}`, isGone);
}
