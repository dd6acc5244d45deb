import type { KubeObject } from '#api/objects.ts';
import { SilenceTimer } from '#kube/deadline.ts';
import { ApiError, isApiError } from '#kube/errors.ts';
import { listPages } from '#kube/list.ts';
import type { ListOptions } from '#kube/list.ts';
import { Position } from '#kube/position.ts';
import type { ReflectorHandler } from '#kube/reflector-handler.ts';
import type { ReflectorOptions } from '#kube/reflector.ts';
import { missingBookmark, refusesStream } from '#kube/streamed-list.ts';
import { watchEvents } from '#kube/watch.ts';
import type { WatchEvent } from '#kube/watch-event.ts';

/** What a reflector hands to its observation. */
type ObservationOptions<T extends KubeObject> = Omit<ReflectorOptions<T>, 'handler'> & {
  handler: Required<ReflectorHandler<T>>;
  /** Called when the server is known to be well again. */
  worked: () => void;
};

/** One stretch of observing after another, each from where the last one ended; the reflector decides what to think of their ends. */
export class Observation<T extends KubeObject> {
  readonly #options: ObservationOptions<T>;
  readonly #position: Position;
  #phase: 'listing' | 'watching' = 'listing';
  #lastContactMs: number | undefined;
  #watchingSinceMs: number | undefined;
  /** When a complete list is due though the watch could be resumed. */
  #relistAtMs = Infinity;
  /** Until then lists come in pages. */
  #pagesUntilMs = 0;

  constructor(options: ObservationOptions<T>) {
    this.#options = options;
    this.#position = new Position(options.newestVersion);
  }

  get phase(): 'listing' | 'watching' {
    return this.#phase;
  }

  get complete(): boolean {
    return this.#position.complete;
  }

  get epoch(): number {
    return this.#position.epoch;
  }

  get newestVersion(): string | undefined {
    return this.#position.newest;
  }

  get lastContactMs(): number | undefined {
    return this.#lastContactMs;
  }

  /** How long the watch of the current or last stretch has been open. */
  get stretchMs(): number {
    return this.#watchingSinceMs === undefined ? 0 : this.#nowMs() - this.#watchingSinceMs;
  }

  /**
   * Lists if it must, then watches until the watch ends: by itself, or by a silence, which some servers keep on a quiet collection.
   * @throws {ApiError} for every other end.
   */
  async run(signal: AbortSignal): Promise<void> {
    this.#watchingSinceMs = undefined;
    this.#phase = 'listing';
    try {
      if (this.#position.known) await this.#compare(signal);
      if (this.#streams() && (await this.#observeByStream(signal))) return;
      if (this.#mustList()) await this.#listInPages(signal);
      await this.#watch(signal);
    } catch (error) {
      // Where only lists fail, the watch must not be missed for long.
      if (this.#isListDue() && !this.#isWatching()) this.#relistAtMs = this.#nowMs() + RELIST_AGAIN_MS;
      if (isApiError(error, 'Expired', 'NotServed', 'Malformed')) this.#position.lose();
      if (isApiError(error, 'Timeout') && this.#isWatching()) return;
      throw error;
    }
  }

  /**
   * A watch from a version that a restored server has not reached yet is accepted and stays silent until it has: so before
   * each resumption the server is asked where it stands. Without the selector: one object is found at once, whatever it is.
   */
  async #compare(signal: AbortSignal): Promise<void> {
    for await (const page of listPages<T>(this.#options.client, { ...this.#scope(signal), labelSelector: undefined, limit: 1 })) {
      this.#contact();
      this.#wentBack(page.resourceVersion);
      break;
    }
  }

  #wentBack(version: string): boolean {
    const isBack = this.#position.compare(version);
    if (isBack) this.#options.log.warn({ reason: 'WentBack' }, 'The server shows an older state than before');
    return isBack;
  }

  async #listInPages(signal: AbortSignal): Promise<void> {
    this.#startList();
    for await (const page of listPages<T>(this.#options.client, this.#scope(signal))) {
      this.#contact();
      this.#position.show(page.resourceVersion);
      for (const object of page.items) this.#options.handler.present(object);
      if (page.last) this.#completeList(page.resourceVersion);
    }
  }

  /** The list and the watch that follows it are one stream. False when the server cannot list so, and nothing else is wrong. */
  async #observeByStream(signal: AbortSignal): Promise<boolean> {
    try {
      await this.#listByStream(signal);
      return true;
    } catch (error) {
      if (this.#isWatching() || !refusesStream(error)) throw error;
      this.#options.log.debug({ err: error }, 'Listing in pages');
      this.#pagesUntilMs = this.#nowMs() + REFUSED_MS;
      return false;
    }
  }

  async #listByStream(signal: AbortSignal): Promise<void> {
    const ms = this.#options.initialListTimeoutMs ?? LIST_TIMEOUT_MS;
    const timer = new SilenceTimer({ clock: this.#options.client.clock, ms, mostMs: MOST_TIMES * ms, signal, late: missingBookmark });
    try {
      this.#startList();
      for await (const event of this.#events({ initialEvents: true, signal: timer.signal })) {
        if (this.#isWatching()) {
          this.#take(event);
          if (this.#isListDue()) return;
        } else this.#takeListed(event, timer);
      }
    } finally {
      timer.stop();
    }
    if (!this.#isWatching()) throw missingBookmark();
  }

  async #watch(signal: AbortSignal): Promise<void> {
    const opened = () => this.#startWatch();
    for await (const event of this.#events({ resourceVersion: this.#position.resume, signal, opened })) {
      this.#take(event);
      if (this.#isListDue()) return;
    }
  }

  async *#events(more: {
    initialEvents?: true;
    resourceVersion?: string | undefined;
    opened?: () => void;
    signal: AbortSignal;
  }): AsyncGenerator<WatchEvent<T>> {
    const { client, resource, namespace, labelSelector, idleMs } = this.#options;
    for await (const event of watchEvents<T>(client, { resource, namespace, labelSelector, idleMs, ...more })) {
      this.#contact();
      yield event;
    }
  }

  #takeListed(event: WatchEvent<T>, timer: SilenceTimer): void {
    if (event.type !== 'BOOKMARK') {
      timer.touch();
      return this.#tell(event);
    }
    this.#position.show(event.resourceVersion);
    if (!event.initialEventsEnd) return;
    timer.disarm();
    this.#completeList(event.resourceVersion);
    this.#startWatch();
  }

  #take(event: WatchEvent<T>): void {
    if (event.type !== 'BOOKMARK') this.#tell(event);
    const version = event.type === 'BOOKMARK' ? event.resourceVersion : event.object.metadata.resourceVersion;
    if (version !== undefined) this.#position.advance(version);
  }

  #tell(event: Exclude<WatchEvent<T>, { type: 'BOOKMARK' }>): void {
    if (event.type === 'DELETED') this.#options.handler.deleted(event.object);
    else this.#options.handler.present(event.object);
  }

  #startList(): void {
    this.#options.handler.listStarted({ epoch: this.#position.epoch, wentBack: this.#position.wentBack });
  }

  /** @throws {ApiError} `Expired` for a list of an older state than was shown when it began: it was not told that the server went back. */
  #completeList(resourceVersion: string): void {
    if (this.#wentBack(resourceVersion)) throw new ApiError('Expired', 'Cannot list: the server went back meanwhile');
    this.#position.listed(resourceVersion);
    const { relistMs = Infinity, client } = this.#options;
    // Spread, so that many collections do not list in step.
    this.#relistAtMs = this.#nowMs() + relistMs * (0.9 + 0.2 * client.random());
    this.#options.handler.listCompleted();
  }

  #startWatch(): void {
    this.#phase = 'watching';
    this.#watchingSinceMs = this.#nowMs();
    this.#contact();
    this.#options.worked();
  }

  #mustList(): boolean {
    return this.#position.resume === undefined || this.#isListDue();
  }

  #isListDue(): boolean {
    return this.#nowMs() >= this.#relistAtMs;
  }

  #isWatching(): boolean {
    return this.#phase === 'watching';
  }

  #streams(): boolean {
    return this.#mustList() && this.#nowMs() >= this.#pagesUntilMs;
  }

  #scope(signal: AbortSignal): ListOptions {
    const { resource, namespace, labelSelector } = this.#options;
    return { resource, namespace, labelSelector, signal, priority: 'repair' };
  }

  #contact(): void {
    this.#lastContactMs = this.#nowMs();
  }

  #nowMs(): number {
    return this.#options.client.clock.monotonicMs();
  }
}

const LIST_TIMEOUT_MS = 60_000;
/** Bounds a streamed list on a busy cluster, where changes keep coming and only the end bookmark does not. */
const MOST_TIMES = 5;
/** Between two tries of a list that is due. */
const RELIST_AGAIN_MS = 60_000;
/** How long a server that cannot stream its list is asked for pages: servers get upgraded. */
const REFUSED_MS = 600_000;
