import type { KubeObject } from '#api/objects.ts';
import { NAMESPACES } from '#api/resources.ts';
import { ApiError } from '#kube/errors.ts';
import type { ApiRequest, ApiResponse, Transport } from '#kube/transport.ts';
import { json, refusal, text } from '#e2e/simulation/model/answers.ts';
import { definedBy, DEFINITIONS, Kinds, type Target } from '#e2e/simulation/model/kinds.ts';
import { updateFields } from '#e2e/simulation/model/merge.ts';
import { Pages } from '#e2e/simulation/model/pages.ts';
import { silence } from '#e2e/simulation/model/silence.ts';
import { type Address, type Backup, type Lost, Store } from '#e2e/simulation/model/store.ts';
import { withDefaults } from '#e2e/simulation/model/validation.ts';
import { WatchStream } from '#e2e/simulation/model/watch-stream.ts';
import { answerApply, answerCreate, answerDelete, markDeleted, notFound, settleWrite } from '#e2e/simulation/model/writes.ts';
import type { Timers } from '#e2e/simulation/timers.ts';

/** How long the content of a deleted namespace stays, and how often is looked whether it has gone. */
const NAMESPACE_MS = 700;

/**
 * A model of a Kubernetes API server with its store, as far as this project relies on one. Held to the same contract suite as
 * the real one (`kube/testing/`). Nothing in it waits: what a network does to requests is somebody else's.
 */
export class ModelServer {
  readonly #timers: Timers;
  readonly #store: Store;
  readonly #pages: Pages;
  readonly #kinds = new Kinds();
  readonly #streams = new Set<WatchStream>();
  /** Refuses connections. */
  #down = false;
  /** Takes requests and says nothing, until it thaws. */
  #thaw: PromiseWithResolvers<void> | undefined;

  constructor(options: { name: string; timers: Timers; version?: number }) {
    this.#timers = options.timers;
    this.#store = new Store(options.name, options.version ?? 1_000);
    this.#pages = new Pages(this.#store);
    for (const name of ['kube-system', 'default']) this.put({ resource: NAMESPACES, name }, { metadata: { name } });
  }

  /** A transport to it; for a user without any right when `forbidden`. */
  connect(options: { forbidden?: boolean } = {}): Transport {
    return {
      send: (request) => this.#send(request, options.forbidden ?? false),
      close: async () => {},
    };
  }

  /** What is stored there now. */
  at(address: Address): KubeObject | undefined {
    return this.#store.at(address)?.object;
  }

  /** Everything of a kind that is stored now. */
  list(resource: Address['resource'], namespace?: string): KubeObject[] {
    return this.#store.list(resource, namespace);
  }

  get version(): number {
    return this.#store.version;
  }

  /** Puts the object there, whole, as somebody who owns what that changes. */
  put(address: Address, object: KubeObject, manager = 'somebody'): KubeObject {
    const held = this.#store.at(address);
    const next = updateFields(held, withDefaults(address.resource, object), { manager, operation: 'Update' });
    return settleWrite(this.#store, { address, held, next });
  }

  /** Deletes it, as somebody with every right. */
  remove(address: Address): void {
    markDeleted(this.#store, address, this.#timers.wallMs());
    this.#afterDelete(address);
  }

  /** Forgets every change up to now: watches and lists under way cannot be resumed. */
  compact(): void {
    this.#store.compact();
    this.#pages.forget();
  }

  /** Loses objects as a damaged store does: lists and reads no longer show them, and no event says so. @returns what was lost. */
  lose(addresses: Address[]): Lost[] {
    const lost = addresses.flatMap((address) => this.#store.lose(address));
    this.compact();
    this.cut();
    return lost;
  }

  /** Shows again what it had lost. */
  find(lost: Lost[]): void {
    for (const each of lost) this.#store.find(each);
    this.compact();
    this.cut();
  }

  backUp(): Backup {
    return this.#store.backUp();
  }

  /** Restarts with an older state. */
  restore(backup: Backup): void {
    this.cut();
    this.#pages.forget();
    this.#store.restore(backup);
    for (const { metadata } of this.list(NAMESPACES)) if (metadata.deletionTimestamp !== undefined) this.#empty(metadata.name);
  }

  /** Ends every watch, as lost connections do. */
  cut(): void {
    for (const stream of this.#streams) stream.cut();
  }

  setDown(down: boolean): void {
    this.#down = down;
    if (down) this.cut();
  }

  freeze(): void {
    this.#thaw ??= Promise.withResolvers();
  }

  thaw(): void {
    this.#thaw?.resolve();
    this.#thaw = undefined;
  }

  async #send(request: ApiRequest, forbidden: boolean): Promise<ApiResponse> {
    request.signal.throwIfAborted();
    if (this.#down) throw new ApiError('Unreachable', 'connection refused');
    if (this.#thaw) await Promise.race([silence(request, this.#timers), this.#thaw.promise]);
    if (forbidden) return refusal(403, 'Forbidden');
    const kinds = request.method === 'GET' ? this.#kinds.list(request.path) : undefined;
    if (kinds) return json({ kind: 'APIResourceList', resources: kinds.map(({ plural, kind }) => ({ name: plural, kind })) });
    const target = this.#kinds.find(request.path);
    return target ? this.#answer(request, target) : text('404 page not found\n', 404);
  }

  #answer(request: ApiRequest, target: Target): ApiResponse {
    const { name } = target;
    if (request.method === 'POST') return answerCreate(this.#store, request, target);
    if (name === undefined) return request.query?.['watch'] === '1' ? this.#watch(request, target) : this.#pages.answer(request, target);
    const address = { ...target, name };
    if (request.method === 'GET') return this.#get(address);
    if (request.method === 'PATCH') return this.#apply(request, address);
    if (request.method !== 'DELETE') return refusal(405, 'MethodNotAllowed');
    const answer = answerDelete(this.#store, request, { address, nowMs: this.#timers.wallMs() });
    this.#afterDelete(address);
    return answer;
  }

  #get(address: Address): ApiResponse {
    const object = this.at(address);
    return object ? json(object) : notFound(address);
  }

  #apply(request: ApiRequest, address: Address & { subresource?: string }): ApiResponse {
    const answer = answerApply(this.#store, request, address);
    const object = this.at(address);
    if (address.resource === DEFINITIONS && object) for (const kind of definedBy(object)) this.#kinds.serve(kind);
    return answer;
  }

  #watch(request: ApiRequest, target: Target): ApiResponse {
    const stream = new WatchStream({ store: this.#store, timers: this.#timers, request, target });
    this.#streams.add(stream);
    return {
      status: 200,
      headers: {},
      body: this.#unlessFrozen(
        stream.lines(() => this.#streams.delete(stream)),
        request,
      ),
    };
  }

  async *#unlessFrozen(lines: AsyncIterable<Uint8Array>, request: ApiRequest): AsyncGenerator<Uint8Array> {
    for await (const line of lines) {
      if (this.#thaw) await Promise.race([silence(request, this.#timers), this.#thaw.promise]);
      yield line;
    }
  }

  #afterDelete(address: Address): void {
    if (address.resource === NAMESPACES) this.#empty(address.name);
    if (address.resource !== DEFINITIONS || this.at(address)) return;
    const [plural = '', ...group] = address.name.split('.');
    this.#kinds.drop({ plural, group: group.join('.') });
    // Those of other kinds go on where they were.
    for (const stream of this.#streams) stream.end();
  }

  /** What a namespace's controller does: takes away the content, then the namespace. */
  #empty(namespace: string): void {
    this.#timers.after(NAMESPACE_MS, () => {
      const address = { resource: NAMESPACES, name: namespace };
      if (this.at(address)?.metadata.deletionTimestamp === undefined) return;
      const content = this.#kinds
        .namespaced()
        .flatMap((resource) => this.list(resource, namespace).map(({ metadata: { name } }) => ({ resource, namespace, name })));
      for (const each of content) markDeleted(this.#store, each, this.#timers.wallMs());
      if (content.some((each) => this.at(each))) this.#empty(namespace);
      else this.#store.remove(address);
    });
  }
}
