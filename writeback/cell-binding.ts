import { untilAborted } from '#kube/aborted.ts';
import type { Client } from '#kube/client.ts';
import type { Log } from '#kube/log.ts';
import { retry } from '#kube/retry.ts';
import { ClusterIdentity, type Identity } from '#mirror/cluster-identity.ts';
import { claimOrGiveWay } from '#mirror/give-way.ts';
import type { IdentityClaims } from '#mirror/identity-claims.ts';
import { isBoundOtherwise } from '#writeback/binding.ts';
import type { HubSide } from '#writeback/hub-side.ts';
import type { ReportReading } from '#writeback/report-keeper.ts';

/** A connection to a cell that is bound: who answers it, and which clusters the name stood for before. */
export type BoundCell = { cell: Client; identity: ClusterIdentity; clusterUid: string; formerClusters: ReadonlySet<string> };

/** What a report says of a binding. */
export type BindingFacts = {
  identity: Identity;
  observedUid: string | undefined;
  sharedWith: string | undefined;
  boundUids: readonly string[];
};

type BindingOptions = { name: string; hub: HubSide; claims: IdentityClaims; log: Log };

/** Which cluster a cell's name stands for, one binding after the other (contract section 5, "Identity and epochs"). */
export class CellBinding {
  readonly #options: BindingOptions;
  #identity: ClusterIdentity | undefined;
  #bindAnew = new AbortController();
  /** The clusters that this run has bound the name to with an operator's consent. */
  readonly #boundUids = new Set<string>();
  /** The name that the cluster was known under first, while this one gives way to it. */
  #gaveWayTo: string | undefined;

  constructor(options: BindingOptions) {
    this.#options = options;
  }

  /** Begins a binding. @returns a signal that aborts with the caller's, or when the name is to be bound anew. */
  begin(signal: AbortSignal): AbortSignal {
    this.#bindAnew = new AbortController();
    return AbortSignal.any([signal, this.#bindAnew.signal]);
  }

  /** Ends the binding that `begin` began: another name may have the cluster. */
  end(): void {
    this.#options.claims.release(this.#options.name);
    this.#identity = undefined;
  }

  /**
   * Binds to what the hub has recorded, and gives way to another name that stands for the same cluster. Tries until it can.
   * @returns undefined when the signal aborted before. `failed` is called with each failure.
   */
  async bind(cell: Client, signal: AbortSignal, failed?: (error: unknown) => void): Promise<BoundCell | undefined> {
    const { clock, random } = this.#options.hub.client;
    const identity = new ClusterIdentity(cell);
    const pace = { signal, log: this.#options.log, clock, random, failed };
    const bound = await retry('Cannot bind the identity of the cell', () => this.#tryToBind(identity, signal), pace);
    const bindAnew = this.#bindAnew;
    void identity.untilReturned(signal).then(() => bindAnew.abort());
    if (bound === undefined) return undefined;
    const { clusterUid, record } = bound;
    const formerClusters = new Set([...(record?.status?.boundClusterUIDs ?? []), ...this.#boundUids]);
    formerClusters.delete(clusterUid);
    return { cell: identity.client, identity, clusterUid, formerClusters };
  }

  /** Ends the binding when the report shows that the name is to be bound otherwise. `clusterUid`: the one in it, if any. */
  heed(clusterUid: string | undefined): void {
    if (!isBoundOtherwise(this.#identity?.state, clusterUid, { givesWay: this.#gaveWayTo !== undefined })) return;
    // Nothing more is written for the cluster that the name was bound to, by what is under way neither.
    this.#identity?.fence();
    this.#bindAnew.abort();
  }

  /** How the binding stands. */
  get facts(): BindingFacts {
    // While the name is bound anew, what was found of its cluster is over, and nothing else is known yet.
    const identity = this.#bindAnew.signal.aborted ? undefined : this.#identity?.state;
    return {
      identity: identity ?? { kind: 'unbound', reason: 'IdentityUnread' },
      observedUid: this.#identity?.observedUid,
      sharedWith: this.#gaveWayTo,
      boundUids: [...this.#boundUids],
    };
  }

  /** What the hub has recorded of the cell, as far as that is known. */
  get recorded(): ReportReading['status'] {
    const report = this.#options.hub.reports.read(this.#options.name);
    return report.kind === 'present' ? report.object.status : undefined;
  }

  async #tryToBind(identity: ClusterIdentity, signal: AbortSignal): Promise<{ clusterUid: string; record: ReportReading | undefined }> {
    const { hub, claims, name, log } = this.#options;
    await Promise.race([hub.reports.settled, untilAborted(signal)]);
    let record: ReportReading | undefined;
    // Read when the cell has answered: another run of the service may have recorded a cluster meanwhile.
    const clusterUid = await identity.bind(signal, async () => {
      record = await hub.reports.look(name, signal);
      return record?.clusterUid;
    });
    this.#identity = identity;
    const claim = { claims, name, uid: clusterUid, clock: hub.client.clock, signal, bindAnew: this.#bindAnew };
    // The cluster that a fenced name has led to is another name's, which must not give way to a mistake.
    const owner = identity.state.kind === 'bound' ? claimOrGiveWay(identity, claim) : name;
    this.#gaveWayTo = owner === name ? undefined : owner;
    // What is bound without a record may turn out to be another name's cluster.
    if (identity.state.kind === 'bound' && record) this.#boundUids.add(clusterUid);
    if (identity.state.kind === 'unbound')
      log.error({ reason: 'IdentityFenced', name: owner }, 'The cell is fenced: it is not the cluster that its name stands for');
    return { clusterUid, record };
  }
}
