import { NAMESPACES } from '#api/resources.ts';
import type { KubeObject } from '#api/objects.ts';
import type { Client } from '#kube/client.ts';
import { ApiError, WaitingError } from '#kube/errors.ts';
import { getObject } from '#kube/get.ts';

/** Who a plane is: bound to a `kube-system` UID, or why nothing may be concluded from it. */
export type Identity = { kind: 'bound'; uid: string } | { kind: 'unbound'; reason: 'IdentityUnread' | 'IdentityFenced' };

/** How often a fenced plane is looked at again. Only an operator can end it, so nothing is gained by asking more often. */
const FENCED_RETRY_MS = 30_000;

/**
 * Who a plane is: the UID of its `kube-system` namespace, bound at first contact (contract section 5, "Identity and epochs").
 * Another UID behind the same name fences it: nothing is published or withdrawn for it any more.
 */
export class ClusterIdentity {
  readonly #plane: Client;
  #uid: string | undefined;
  #observedUid: string | undefined;
  #fenced = false;
  #verifiedMs = -Infinity;
  /** The question that is under way, and when it was put. */
  #asking: { sinceMs: number; answer: Promise<void> } | undefined;

  constructor(plane: Client) {
    this.#plane = plane;
  }

  /** The identity as the decision table takes it. */
  get state(): Identity {
    if (this.#fenced) return { kind: 'unbound', reason: 'IdentityFenced' };
    return this.#uid === undefined ? { kind: 'unbound', reason: 'IdentityUnread' } : { kind: 'bound', uid: this.#uid };
  }

  /** The UID that answered last, be it the bound one or not. */
  get observedUid(): string | undefined {
    return this.#observedUid;
  }

  /**
   * Binds to the UID that was recorded at an earlier contact, or else to the one found now; fenced when they differ.
   * @returns the bound UID. @throws {ApiError} when the plane cannot be asked.
   */
  async bind(signal: AbortSignal, recorded?: string): Promise<string> {
    const found = await this.#read(signal);
    this.#uid ??= recorded ?? found;
    this.#fenced ||= found !== this.#uid;
    return this.#uid;
  }

  /** Does nothing for this plane any more: another name stands for the same cluster. */
  fence(): void {
    this.#fenced = true;
  }

  /**
   * Returns when the plane has said, at most `maxAgeMs` ago, that it is still the one. Questions put at the same time share one answer.
   * @throws {WaitingError} `IdentityFenced`. @throws {ApiError} when the plane cannot be asked.
   */
  async verify({ signal, maxAgeMs }: { signal: AbortSignal; maxAgeMs: number }): Promise<void> {
    const since = this.#plane.clock.monotonicMs();
    while (!this.#fenced && this.#verifiedMs < since - maxAgeMs) await this.#ask(signal);
    if (this.#fenced) throw new WaitingError('IdentityFenced', `"${this.#plane.cluster}" is another cluster than before`, FENCED_RETRY_MS);
  }

  async #ask(signal: AbortSignal): Promise<void> {
    if (this.#asking) return this.#asking.answer;
    const sinceMs = this.#plane.clock.monotonicMs();
    const answer = this.#read(signal).then((uid) => {
      this.#fenced ||= uid !== this.#uid;
      this.#verifiedMs = sinceMs;
    });
    this.#asking = { sinceMs, answer };
    try {
      await answer;
    } finally {
      this.#asking = undefined;
    }
  }

  async #read(signal: AbortSignal): Promise<string> {
    const { metadata } = await getObject<KubeObject>(
      this.#plane,
      { resource: NAMESPACES, name: 'kube-system' },
      { signal, priority: 'live' },
    );
    // Taken for a uid, "none" would fence the plane for good once it says one, and two such planes would be one.
    this.#observedUid = metadata.uid;
    if (!metadata.uid) throw new ApiError('Malformed', `Cannot identify ${this.#plane.cluster}: kube-system has no uid`);
    return metadata.uid;
  }
}
