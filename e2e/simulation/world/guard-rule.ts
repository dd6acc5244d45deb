import { count } from '#e2e/simulation/network/link.ts';
import type { Heard } from '#e2e/simulation/network/overhear.ts';
import { Confirmations } from '#e2e/simulation/world/confirmations.ts';
import { keyOf } from '#e2e/simulation/world/requests.ts';
import { sourcesOnHub, type ToldCopies } from '#e2e/simulation/world/told-copies.ts';
import type { Approval, Cluster, SimulatedCell, World } from '#e2e/simulation/world/world.ts';

/*
 * What contract section 5 says of weak evidence and of the shrink guard, written from its text alone: nothing here may be taken
 * from mirror/, or both would be wrong together. Where the text leaves a choice, the more lenient one is taken.
 */

/** Why a weak withdrawal was allowed. */
type Release = 'believed' | 'confirmed' | 'approved';

/** What was to be believed of one location after a complete observation. */
type Belief = { frozen: boolean; isSudden: boolean; absent: ReadonlySet<string> };

/** From `ms` on, until the next, by what was listed at `listedMs`. What is released is so at every location. */
type Moment = { ms: number; listedMs: number; locations: Map<string, Belief>; released: Map<string, Release> };

/** A decision and the deletion that it leads to lie this far apart at most. */
const KEPT_MS = 200_000;

/** What is shown while a list waits to be sent is shown since it began. */
const BEGUN_MS = 5_000;

/** Judges, for one run of the service and one cell, which copies may be withdrawn only because their sources are not seen. */
export class GuardRule {
  readonly #world: World;
  readonly #cell: SimulatedCell;
  readonly #told: ToldCopies;
  /** Approvals that have had their effect, or were given to a run before this one. */
  readonly #spent: Set<Approval>;
  #moments: Moment[] = [];
  /** Sources whose deletion was told as an event, and when they were shown again. */
  readonly #deletedUntilMs = new Map<string, number>();
  /** When an event or a list last showed it. */
  readonly #shownMs = new Map<string, number>();
  /** When a read of one object last showed it. */
  readonly #lookedMs = new Map<string, number>();
  readonly #confirmations: Confirmations;
  /**
   * The cluster that answered last, and the newest version that it has shown: versions of two clusters have nothing in common. A name that
   * is bound anew begins without knowledge.
   */
  #cluster: Cluster | undefined;
  #boundAnew = 0;
  #newest = 0;
  /** The server shows an older state than before: no absence is believed until it is confirmed. */
  #wentBack = false;

  /** `isHeld`: an operator keeps time from releasing anything, and the service was told so. */
  constructor(options: { world: World; cell: SimulatedCell; told: ToldCopies; isHeld: () => boolean }) {
    this.#world = options.world;
    this.#cell = options.cell;
    this.#told = options.told;
    this.#confirmations = new Confirmations(options.world, options.isHeld);
    this.#spent = new Set(options.cell.approvals);
  }

  /** Takes what the service reads of the cell's slices. */
  readonly hear = (heard: Heard): void => {
    this.#meet(this.#world.clusterOf(this.#cell));
    if (heard.kind === 'shown') this.#show(keyOf(heard.object));
    else if (heard.kind === 'gone') this.#deletedUntilMs.set(keyOf(heard.object), Infinity);
    else if (heard.kind === 'listed') this.#conclude(heard);
    else this.#stand(Number(heard.version), { isServersWord: heard.kind === 'stands' });
  };

  /** True when an event or a list has shown the source after that moment. */
  isShownSince(source: string, ms: number): boolean {
    return (this.#shownMs.get(source) ?? -Infinity) > ms;
  }

  /** A read of that one source showed it. */
  looked(source: string): void {
    this.#lookedMs.set(source, this.#nowMs());
  }

  /** Why a copy whose source is absent may not go, where that was found at `fromMs` and acted on at `toMs`; undefined when it may. */
  obstacle(copy: { location: string; source: string }, { fromMs, toMs }: { fromMs: number; toMs: number }): string | undefined {
    // One that is shown again while the request is on its way comes too late to be heeded.
    if ((this.#deletedUntilMs.get(copy.source) ?? -Infinity) > toMs) return undefined;
    this.#approve();
    const first = this.#moments.findLastIndex(({ ms }) => ms <= fromMs);
    const meant = this.#moments.slice(Math.max(first, 0)).filter(({ ms }) => ms <= toMs);
    if (meant.length === 0) return 'its cell was never listed in full';
    const release = meant.map((moment) => this.#releaseIn(moment, copy)).find(Boolean);
    if (release === undefined) return 'too much is missing at once to be believed';
    count(this.#world.decisions, `weak withdrawal ${release}`);
    return undefined;
  }

  #releaseIn({ listedMs, locations, released }: Moment, copy: { location: string; source: string }): Release | undefined {
    const belief = locations.get(copy.location);
    if (!belief?.frozen) return 'believed';
    const copies = sourcesOnHub(this.#world);
    const isThere = (source: string) => !copies.has(source) || this.#isBackSince(source, listedMs);
    // All that was missing is back; but an older state is doubted until it has been listed once more.
    if (belief.isSudden && !this.#wentBack && [...belief.absent].every(isThere)) return 'believed';
    return released.get(copy.source);
  }

  /** True when anything has shown the source after that moment: an event, a list, or a read of it alone. */
  #isBackSince(source: string, ms: number): boolean {
    return Math.max(this.#shownMs.get(source) ?? -Infinity, this.#lookedMs.get(source) ?? -Infinity) > ms;
  }

  #show(source: string): void {
    if (this.#deletedUntilMs.get(source) === Infinity) this.#deletedUntilMs.set(source, this.#nowMs());
    this.#shownMs.set(source, this.#nowMs());
    this.#confirmations.shown(source);
    const last = this.#moments.at(-1);
    if (!last?.released.has(source)) return;
    // What was approved by now was so of the moment that ends here too.
    this.#approve();
    const released = new Map([...last.released].filter(([each]) => each !== source));
    this.#moments.push({ ...last, ms: this.#nowMs(), released });
  }

  #meet(cluster: Cluster): void {
    if (cluster === this.#cluster && this.#boundAnew === this.#cell.boundAnew) return;
    this.#cluster = cluster;
    this.#boundAnew = this.#cell.boundAnew;
    this.#newest = 0;
    this.#wentBack = false;
  }

  #stand(version: number, { isServersWord }: { isServersWord: boolean }): void {
    this.#wentBack ||= isServersWord && version < this.#newest;
    this.#newest = isServersWord ? version : Math.max(version, this.#newest);
  }

  #conclude({ objects, version, sinceMs }: Extract<Heard, { kind: 'listed' }>): void {
    this.#approve();
    // A sweep's list does not say how far the watch has come, only that the server is not as far any more.
    this.#wentBack ||= Number(version) < this.#newest;
    const listed = new Set(objects.map(keyOf));
    this.#confirmations.listed(listed);
    const seen = new Set(listed);
    for (const [source, ms] of [...this.#lookedMs, ...this.#shownMs]) if (ms >= sinceMs - BEGUN_MS) seen.add(source);
    const before = this.#moments.at(-1);
    const locations = new Map<string, Belief>();
    for (const [location, sources] of this.#copies())
      locations.set(location, this.#believe(before?.locations.get(location), { sources, seen }));
    const beliefs = [...locations.values()];
    const released = this.#release(before, { beliefs, seen: listed });
    this.#wentBack &&= beliefs.some(({ absent }) => absent.size > 0);
    const nowMs = this.#nowMs();
    this.#moments = [...this.#moments.filter(({ ms }) => ms >= nowMs - KEPT_MS), { ms: nowMs, listedMs: nowMs, locations, released }];
  }

  #believe(before: Belief | undefined, { sources, seen }: { sources: Set<string>; seen: Set<string> }): Belief {
    const { believedAbsent } = this.#world.guard;
    const absent = new Set([...sources].filter((source) => !seen.has(source)));
    const isSudden = absent.size > believedAbsent && seen.size < sources.size / 2;
    const frozen = isSudden || (this.#wentBack && absent.size > 0);
    if (before?.frozen && !frozen && [...before.absent].some((source) => seen.has(source))) count(this.#world.decisions, 'freeze over');
    if (!before?.frozen && frozen) count(this.#world.decisions, isSudden ? 'freeze begun' : 'freeze begun after going back');
    return { frozen, isSudden, absent };
  }

  /** What was released stays so while anything is frozen; what has been missed often enough for long enough is from now on. */
  #release(before: Moment | undefined, { beliefs, seen }: { beliefs: Belief[]; seen: Set<string> }): Map<string, Release> {
    const isFrozen = beliefs.some(({ frozen }) => frozen);
    const released = new Map([...(before?.released ?? [])].filter(([source]) => isFrozen && !seen.has(source)));
    // Also one of which no belief says that it is absent, since the run need not have been told of its copy as that is by now.
    for (const source of this.#confirmations.confirmed()) released.set(source, 'confirmed');
    return released;
  }

  /**
   * An approval releases exactly what it names, once, and only where that is all that is missing: as the report said at the time, which
   * may know of what this rule does not, or by what was heard here.
   */
  #approve(): void {
    const moment = this.#moments.at(-1);
    const copies = sourcesOnHub(this.#world);
    const frozen = [...(moment?.locations.values() ?? [])].filter((belief) => belief.frozen);
    if (!moment || frozen.length === 0) return;
    const missing = frozen
      .flatMap(({ absent }) => [...absent])
      .filter((source) => copies.has(source) && !this.#isBackSince(source, moment.listedMs));
    for (const approval of this.#cell.approvals) {
      const isExact = approval.onRecord || missing.every((source) => approval.sources.has(source));
      if (this.#spent.has(approval) || !isExact) continue;
      for (const source of approval.sources) if (!moment.released.has(source)) moment.released.set(source, 'approved');
      this.#spent.add(approval);
    }
  }

  /**
   * The sources of the copies that the hub holds for this cell, by location. Those of a cluster that its name was bound to while the record
   * could not be read are nobody's: no promise is made there.
   */
  #copies(): Map<string, Set<string>> {
    const copies = new Map<string, Set<string>>();
    const present = this.#world.clusterOf(this.#cell).uid;
    for (const { location, source, clusterUid } of this.#told.list()) {
      if (clusterUid !== present && !this.#cell.boundUids.has(clusterUid)) continue;
      copies.set(location, (copies.get(location) ?? new Set()).add(source));
    }
    return copies;
  }

  #nowMs(): number {
    return this.#world.clock.monotonicMs();
  }
}
