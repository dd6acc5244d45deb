import type { KubeObject } from '#api/objects.ts';
import { untilAborted } from '#kube/aborted.ts';
import type { Client } from '#kube/client.ts';
import { failureCode } from '#kube/errors.ts';
import type { Log } from '#kube/log.ts';
import { Reflector } from '#kube/reflector.ts';
import { concludeList, suspect } from '#mirror/conclude.ts';
import { Controller } from '#mirror/controller.ts';
import { DirtyBuffer } from '#mirror/dirty-buffer.ts';
import { type HeldCount, Holds } from '#mirror/holds.ts';
import { judge, judgeAgain, judgeCopy, judgeDeleted } from '#mirror/judge.ts';
import type { MirrorMetrics, MirrorReading } from '#mirror/metrics.ts';
import type { MirrorContext } from '#mirror/mirror-context.ts';
import { keyOf, type ObjectKey, splitKey } from '#mirror/object-key.ts';
import { ObservedStore } from '#mirror/observed-store.ts';
import type { PublishedIndex } from '#mirror/published-index.ts';
import { reconcile } from '#mirror/reconcile.ts';
import type { MirrorRules } from '#mirror/rules.ts';
import { type GuardSettings, ShrinkGuard } from '#mirror/shrink-guard.ts';
import { sweepForEver } from '#mirror/sweep-schedule.ts';
import { findUnclaimed } from '#mirror/unclaimed.ts';
import { Workqueue } from '#mirror/workqueue.ts';

/** How a mirror is paced. */
export type MirrorSettings = {
  /** Between two sweeps, give or take a tenth. Default 10 minutes. */
  sweepIntervalMs: number;
  /** When waiting and refused keys are looked at again. Default 30 s. */
  retryIntervalMs: number;
  /** Longest silence of a watch before it is taken for dead. */
  idleMs: number;
  /** Keys under way at the same time. */
  concurrency: number;
  /** When a sudden loss is not believed; the contract's defaults when left out. */
  guard?: GuardSettings;
};

/** How often the end of the first pass is looked for. */
const LOOK_MS = 200;
/** The first sweep waits this long for the first pass to end, and no longer: under steady load it never would. */
const SETTLE_MS = 60_000;

/** What a mirror is made of. */
export type MirrorOptions<S extends KubeObject> = {
  rules: MirrorRules<S>;
  source: Client;
  hub: Client;
  published: PublishedIndex;
  settings: MirrorSettings;
  metrics: MirrorMetrics;
  log: Log;
  /** For mirrors that follow one another on one plane, so that what is frozen or doubted stays so; else one of its own. */
  guard?: ShrinkGuard;
  /** What the mirror before it was shown last of the plane (`newestVersion`). */
  newestVersion?: string | undefined;
};

/** One kind of copy from one plane: keeps the hub holding exactly what the sources there call for, while it runs. */
export class Mirror<S extends KubeObject> {
  readonly #options: MirrorOptions<S>;
  readonly #context: MirrorContext<S>;
  readonly #controller: Controller;
  readonly #reflector: Reflector<S>;
  /** Of the guard, when the list under way began. */
  #listEpoch = 0;

  constructor(options: MirrorOptions<S>) {
    const { rules, source, settings, metrics, log } = options;
    this.#options = options;
    this.#context = {
      ...options,
      observed: new ObservedStore(),
      dirty: new DirtyBuffer<S>(),
      strays: new Map(),
      others: { count: 0 },
      queue: new Workqueue(source.clock),
      holds: new Holds(),
      guard: options.guard ?? new ShrinkGuard(settings.guard),
      newestVersion: () => this.#reflector.newestVersion,
    };
    this.#reflector = this.#reflect();
    this.#controller = new Controller({
      ...settings,
      labels: { controller: rules.controller, plane: source.cluster },
      queue: this.#context.queue,
      holds: this.#context.holds,
      reconcile: (key, how) => reconcile(this.#context, key, how),
      clock: source.clock,
      random: source.random,
      metrics,
      log,
    });
  }

  /**
   * Mirrors until the signal aborts, and resolves when the writes in flight have ended.
   * The sources are watched only once the hub's copies are known: judged against half an index, all would seem unpublished.
   */
  async run(signal: AbortSignal): Promise<void> {
    const { published, rules, source, metrics, settings, log } = this.#options;
    await Promise.race([published.untilComplete(), untilAborted(signal)]);
    if (signal.aborted) return;
    const labels = { controller: rules.controller, plane: source.cluster };
    const leaveMetrics = metrics.include(labels, () => this.reading());
    const unsubscribe = published.subscribe(rules.origin, (key) => judgeCopy(this.#context, key));
    const schedule = { ...settings, signal, metrics, labels, log, until: () => this.#untilListed(signal) };
    await Promise.all([this.#reflector.run(signal), this.#controller.run(signal), sweepForEver(this.#context, schedule)]);
    unsubscribe();
    leaveMetrics();
    this.#context.queue.close();
  }

  /** Judges sources anew because what decides about them changed: those of one namespace, or all. Each is then read live. */
  refresh(namespace?: string): void {
    judgeAgain(this.#context, namespace);
    this.wake(namespace);
  }

  /**
   * Judges the sources of a namespace anew because the place of their copies may have changed, and finds the copies that are misplaced
   * by now. That looks at every copy there is: not for what happens often.
   */
  relocate(namespace: string): void {
    this.refresh(namespace);
    if (!this.listed) return;
    const { sources } = findUnclaimed(this.#context, (source) => this.#context.observed.has(source));
    for (const key of sources) if (isIn(namespace, key)) suspect(this.#context, key);
  }

  /** Looks again at what is held: in one namespace, or everywhere. */
  wake(namespace?: string): void {
    for (const { key } of this.#context.holds.list(Infinity)) if (isIn(namespace, key)) this.#context.queue.add(key, 'repair');
  }

  /** The mirror in numbers, for metrics and status. */
  reading(): MirrorReading {
    const { source } = this.#options;
    const { lastContactMs } = this.#reflector.state;
    return {
      queueDepth: this.#context.queue.depth,
      sources: this.#context.observed.size,
      copies: this.#options.published.count(this.#options.rules.origin),
      held: this.#context.holds.counts(),
      frozen: this.#context.guard.frozen?.missing.size ?? 0,
      others: this.#context.others.count,
      silenceSeconds: lastContactMs === undefined ? undefined : (source.clock.monotonicMs() - lastContactMs) / 1000,
    };
  }

  /** How many keys are held, in which way and why. */
  get held(): HeldCount[] {
    return this.#context.holds.tally();
  }

  /** How many keys it has withdrawn. */
  get withdrawn(): number {
    return this.#controller.withdrawn;
  }

  /** Says whether copies may be withdrawn on weak evidence. */
  get guard(): ShrinkGuard {
    return this.#context.guard;
  }

  /** The newest version of the sources that the plane has shown in this epoch; undefined before the first. */
  get newestVersion(): string | undefined {
    return this.#reflector.newestVersion;
  }

  /** When a complete observation last ended, in milliseconds since the epoch. */
  get completeAtMs(): number | undefined {
    return this.#context.observed.completeAtMs;
  }

  /** True while the watch of the sources stands. */
  get observing(): boolean {
    return this.#reflector.state.phase === 'watching';
  }

  /** Looks again at every copy that is frozen: its set has been approved. */
  lookAtFrozen(): void {
    for (const key of this.#context.guard.frozen?.missing.keys() ?? []) this.#context.queue.add(key, 'sweep');
  }

  /** Why the sources cannot be observed now, as an error code; undefined while they can. */
  get failure(): string | undefined {
    const { error } = this.#reflector.state;
    return error === undefined ? undefined : failureCode(error);
  }

  /** True once the sources have been listed in full. */
  get listed(): boolean {
    return this.#context.observed.complete;
  }

  #reflect(): Reflector<S> {
    const { rules, source, settings, log } = this.#options;
    const { observed } = this.#context;
    return new Reflector<S>({
      client: source,
      resource: rules.source,
      labelSelector: rules.selector,
      idleMs: settings.idleMs,
      newestVersion: this.#options.newestVersion,
      log,
      handler: {
        listStarted: ({ wentBack }) => this.#listStarted(wentBack),
        present: (object) => judge(this.#context, object, { priority: observed.complete ? 'live' : 'repair' }),
        deleted: (object) => judgeDeleted(this.#context, keyOf(object)),
        listCompleted: () => concludeList(this.#context, this.#listEpoch),
      },
    });
  }

  #listStarted(wentBack: boolean): void {
    const { observed, guard } = this.#context;
    observed.listStarted(wentBack);
    if (wentBack) {
      this.#options.log.warn({ reason: 'WentBack' }, 'The API server shows an older state than before');
      guard.distrust();
    }
    this.#listEpoch = guard.epoch;
  }

  async #untilListed(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options.source;
    const waits = (until: () => boolean) => async () => {
      while (!signal.aborted && !until()) await clock.sleep(LOOK_MS, signal);
    };
    await waits(() => this.listed)();
    const latestMs = clock.monotonicMs() + SETTLE_MS;
    await waits(() => this.#context.queue.idle || clock.monotonicMs() > latestMs)();
  }
}

function isIn(namespace: string | undefined, key: ObjectKey): boolean {
  return namespace === undefined || splitKey(key).namespace === namespace;
}
