import { NAMESPACES } from '#api/resources.ts';
import type { KubeObject } from '#api/objects.ts';
import type { Client } from '#kube/client.ts';
import type { ApiRequest, ApiResponse } from '#kube/transport.ts';
import { ApiError, WaitingError } from '#kube/errors.ts';
import { getObject } from '#kube/get.ts';

/** Who a plane is: bound to a `kube-system` UID, or why nothing may be concluded from it. */
export type Identity = { kind: 'bound'; uid: string } | { kind: 'unbound'; reason: 'IdentityUnread' | 'IdentityFenced' };

/** Milliseconds. Before something is published the plane's word may be this old; before a withdrawal it is always asked for. */
export const RECENT_MS = 10_000;

/** How often a fenced plane is looked at again. It takes an operator, or the right cluster's return: nothing is gained by asking more often. */
const FENCED_RETRY_MS = 30_000;

/**
 * Who a plane is: the UID of its `kube-system` namespace, bound at first contact (contract section 5, "Identity and epochs").
 * Another UID behind the same name fences it: nothing is published or withdrawn for it any more.
 */
export class ClusterIdentity {
  /**
   * The plane for everything that is to be believed of it. Another cluster may have given any answer: what rests on one is believed once
   * the plane has said who it is after that answer came.
   */
  readonly client: Client;
  readonly #plane: Client;
  #uid: string | undefined;
  #observedUid: string | undefined;
  #fenced = false;
  /** Another uid was found, and not only another name for the same one. */
  #replaced = false;
  /** How many answers have come, and how many of them had when the question was put that the plane answered last. */
  #answers = 0;
  #verifiedAnswers = 0;
  #verifiedMs = -Infinity;
  /** The question that is under way. */
  #asking: Promise<void> | undefined;

  constructor(plane: Client) {
    this.#plane = plane;
    const send = async (request: ApiRequest) => this.#answered(await plane.transport.send(request));
    this.client = { ...plane, transport: { send, close: () => plane.transport.close() } };
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
   * `recorded`: asked once the plane has answered, since that may take a while.
   * @returns the bound UID. @throws {ApiError} when the plane cannot be asked, or what was recorded.
   */
  async bind(signal: AbortSignal, recorded?: () => Promise<string | undefined>): Promise<string> {
    const found = await this.#read(signal);
    this.#uid ??= (await recorded?.()) ?? found;
    this.#compare(found);
    return this.#uid;
  }

  /** Does nothing for this plane any more: another name stands for the same cluster. */
  fence(): void {
    this.#fenced = true;
  }

  /**
   * Resolves when the right cluster is back behind a name behind which another one was found, or the signal aborts.
   * The fence stands: whatever was read meanwhile may be the other cluster's, and is to be forgotten with this identity.
   */
  async untilReturned(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#plane.clock.sleep(FENCED_RETRY_MS, signal);
      if (!this.#replaced || signal.aborted) continue;
      // A plane that cannot be asked is asked again.
      const found = await this.#read(signal).catch(() => undefined);
      if (found === this.#uid) return;
    }
  }

  /**
   * Has the plane say who it is, and fences it where it is another one. Asked before a look that may lead to a withdrawal, as `verify` is after
   * it: a name has to come to lead elsewhere, and back, between the two for another cluster's answer to be taken for the plane's.
   * @throws {ApiError} when the plane cannot be asked.
   */
  async ask(signal: AbortSignal): Promise<void> {
    await this.#hear({ signal, maxAgeMs: 0, answers: 0 });
  }

  /**
   * Returns when the plane has said, at most `maxAgeMs` ago and after every answer that had come from it by now, that it is still the one.
   * Questions put at the same time share one answer.
   * @throws {WaitingError} `IdentityFenced`. @throws {ApiError} when the plane cannot be asked.
   */
  async verify({ signal, maxAgeMs }: { signal: AbortSignal; maxAgeMs: number }): Promise<void> {
    await this.#hear({ signal, maxAgeMs, answers: this.#answers });
    if (this.#fenced) throw new WaitingError('IdentityFenced', `"${this.#plane.cluster}" is another cluster than before`, FENCED_RETRY_MS);
  }

  /** Returns when the plane is fenced, or has said who it is: at most `maxAgeMs` before this call, and after so many answers. */
  async #hear({ signal, maxAgeMs, answers }: { signal: AbortSignal; maxAgeMs: number; answers: number }): Promise<void> {
    const since = this.#plane.clock.monotonicMs() - maxAgeMs;
    while (!this.#fenced && (this.#verifiedMs < since || this.#verifiedAnswers < answers)) await this.#ask(signal);
  }

  async #ask(signal: AbortSignal): Promise<void> {
    if (this.#asking) return this.#asking;
    const sinceMs = this.#plane.clock.monotonicMs();
    const answers = this.#answers;
    const answer = this.#read(signal).then((uid) => {
      this.#compare(uid);
      this.#verifiedMs = sinceMs;
      this.#verifiedAnswers = answers;
    });
    this.#asking = answer;
    try {
      await answer;
    } finally {
      this.#asking = undefined;
    }
  }

  #answered(response: ApiResponse): ApiResponse {
    this.#answers += 1;
    return response;
  }

  #compare(found: string): void {
    this.#replaced ||= found !== this.#uid;
    this.#fenced ||= this.#replaced;
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
