import { LOCATION, NETWORK } from '#api/keys.ts';

/** A kind that is replicated, as configured. Adding one takes no code. */
export type ReplicatedKind = {
  group: string;
  version: string;
  kind: string;
  /** Only sources that match are copied; all of them when absent. */
  selector?: string;
  /** Labels that a copy has while its source has them. A copy whose value changes is replaced, since Karmada freezes it else. */
  propagatedLabels: readonly string[];
};

const NETWORKING_GROUP = 'networking.datumapis.com';
const NETWORKING = { group: NETWORKING_GROUP, version: 'v1alpha' };

/** What is replicated unless the configuration says otherwise (contract section 3). */
export const DEFAULT_KINDS: readonly ReplicatedKind[] = [
  { ...NETWORKING, kind: 'Network', propagatedLabels: [] },
  { ...NETWORKING, kind: 'NetworkContext', propagatedLabels: [LOCATION, NETWORK] },
  { ...NETWORKING, kind: 'Subnet', propagatedLabels: [LOCATION, NETWORK] },
];

/**
 * The name of the controller that replicates the kind: `replicator.networkcontext`. A kind of another group than that has the
 * group after it, `replicator.widget.example.com`, since two groups may have kinds of one name.
 */
export function controllerName({ group, kind }: Pick<ReplicatedKind, 'group' | 'kind'>): string {
  const name = `replicator.${kind.toLowerCase()}`;
  return group === '' || group === NETWORKING_GROUP ? name : `${name}.${group}`;
}
