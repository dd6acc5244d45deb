import type { KubeObject } from '#api/objects.ts';
import { ApiError } from '#kube/errors.ts';
import { matchesSelector, parseSelector, type Requirement } from '#kube/label-selector.ts';
import { apiVersionOf } from '#kube/objects.ts';
import type { ApiRequest } from '#kube/transport.ts';
import { statusOf } from '#e2e/simulation/model/answers.ts';
import type { Target } from '#e2e/simulation/model/kinds.ts';
import { type Change, collectionOf, type Store } from '#e2e/simulation/model/store.ts';
import type { Timers } from '#e2e/simulation/timers.ts';

/** Between two bookmarks. Real servers send them about once a minute; more often than that shortens a run and changes nothing else. */
const BOOKMARK_MS = 20_000;

/** One watch as a server keeps it: lines of events until it ends, is cut, or is given up. */
export class WatchStream {
  readonly #store: Store;
  readonly #timers: Timers;
  readonly #request: ApiRequest;
  readonly #target: Target;
  readonly #selector: Requirement[];
  #version: number;
  #ended = false;
  #failure: Error | undefined;
  #wake: () => void = () => {};

  constructor(options: { store: Store; timers: Timers; request: ApiRequest; target: Target }) {
    this.#store = options.store;
    this.#timers = options.timers;
    this.#request = options.request;
    this.#target = options.target;
    this.#selector = parseSelector(options.request.query?.['labelSelector'] ?? '');
    this.#version = Number(options.request.query?.['resourceVersion'] ?? this.#store.version);
  }

  /** Ends it in the middle, as a lost connection does. */
  cut(): void {
    this.#failure = new ApiError('Unreachable', 'connection lost');
    this.#wake();
  }

  /** Ends it well. */
  end(): void {
    this.#ended = true;
    this.#wake();
  }

  /** The lines. `closed` is called once, however it ends. */
  async *lines(closed: () => void): AsyncGenerator<Uint8Array> {
    const { signal, query = {} } = this.#request;
    const abort = () => {
      this.#failure = signal.reason;
      this.#wake();
    };
    signal.addEventListener('abort', abort);
    if (signal.aborted) abort();
    const unlisten = this.#store.listen(() => this.#wake());
    const timeout = this.#timers.after(Number(query['timeoutSeconds'] ?? 600) * 1000, () => this.end());
    try {
      if (query['sendInitialEvents'] === 'true') yield* this.#initialEvents();
      yield* this.#changes();
    } finally {
      timeout();
      unlisten();
      signal.removeEventListener('abort', abort);
      closed();
    }
  }

  *#initialEvents(): Generator<Uint8Array> {
    this.#version = this.#store.version;
    for (const object of this.#store.list(this.#target.resource, this.#target.namespace)) {
      if (this.#selects(object)) yield line('ADDED', object);
    }
    yield this.#bookmark({ annotations: { 'k8s.io/initial-events-end': 'true' } });
  }

  async *#changes(): AsyncGenerator<Uint8Array> {
    let bookmarkMs = this.#timers.monotonicMs() + BOOKMARK_MS;
    while (!this.#ended) {
      if (this.#failure !== undefined) throw this.#failure;
      if (this.#version < this.#store.compacted) return yield line('ERROR', statusOf(410, 'Expired'));
      yield* this.#news();
      if (this.#timers.monotonicMs() >= bookmarkMs) {
        bookmarkMs = this.#timers.monotonicMs() + BOOKMARK_MS;
        if (this.#version <= this.#store.version) yield this.#bookmark({});
      }
      if (this.#isIdle()) await this.#pause(bookmarkMs - this.#timers.monotonicMs());
    }
  }

  *#news(): Generator<Uint8Array> {
    // A version that a restored server has not reached yet: nothing is said until it has.
    const present = this.#store.version;
    if (this.#version >= present) return;
    for (const change of this.#store.since(this.#version)) {
      if (this.#failure !== undefined) throw this.#failure;
      this.#version = change.version;
      const event = this.#eventOf(change);
      if (event !== undefined) yield event;
    }
    // Versions may be skipped.
    this.#version = Math.max(this.#version, present);
  }

  #isIdle(): boolean {
    return !this.#ended && this.#failure === undefined && this.#version >= this.#store.version;
  }

  #eventOf({ collection, now, before }: Change): Uint8Array | undefined {
    if (collection !== collectionOf(this.#target.resource)) return undefined;
    const [was, is] = [this.#selects(before), this.#selects(now)];
    if (is && now) return line(was ? 'MODIFIED' : 'ADDED', now);
    if (!was || !before) return undefined;
    // What ceased to match is shown as it last matched, with the version at which it ceased.
    const resourceVersion = now?.metadata.resourceVersion ?? before.metadata.resourceVersion;
    return line('DELETED', { ...before, metadata: { ...before.metadata, ...(resourceVersion !== undefined && { resourceVersion }) } });
  }

  #selects(object: KubeObject | undefined): boolean {
    if (!object) return false;
    const { namespace } = this.#target;
    if (namespace !== undefined && object.metadata.namespace !== namespace) return false;
    return matchesSelector(this.#selector, object.metadata.labels ?? {});
  }

  #bookmark(metadata: object): Uint8Array {
    const { resource } = this.#target;
    return line('BOOKMARK', {
      apiVersion: apiVersionOf(resource),
      kind: resource.kind,
      metadata: { resourceVersion: String(this.#version), ...metadata },
    });
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        cancel();
        this.#wake = () => {};
        resolve();
      };
      const cancel = this.#timers.after(ms, done);
      this.#wake = done;
    });
  }
}

function line(type: string, object: object): Uint8Array {
  return Buffer.from(`${JSON.stringify({ type, object })}\n`);
}
