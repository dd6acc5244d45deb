import { ENDPOINT_SLICES } from '#api/resources.ts';
import { count } from '#e2e/simulation/network/link.ts';
import type { Heard } from '#e2e/simulation/network/overhear.ts';
import { marksOf } from '#e2e/simulation/world/fate.ts';
import { keyOf } from '#e2e/simulation/world/requests.ts';
import type { ToldCopies } from '#e2e/simulation/world/told-copies.ts';
import type { Cluster, SimulatedCell, World } from '#e2e/simulation/world/world.ts';

/*
 * What contract section 5 says of weak evidence and of the shrink guard, written from its text alone: nothing here may be taken
 * from mirror/, or both would be wrong together. Where the text leaves a choice, the more lenient one is taken.
 */

/** Why a weak withdrawal was allowed. */
type Release = 'believed' | 'confirmed' | 'approved';

/** What was to be believed of one location after a complete observation. */
type Belief = { frozen: boolean; absent: ReadonlySet<string>; released: Map<string, Release> };

/** From `ms` on, until the next. */
type Moment = { ms: number; locations: Map<string, Belief> };

/** A decision and the deletion that it leads to lie this far apart at most. */
const KEPT_MS = 200_000;

/** Judges, for one run of the service and one cell, which copies may be withdrawn only because their sources are not seen. */
export class GuardRule {
  readonly #world: World;
  readonly #cell: SimulatedCell;
  readonly #told: ToldCopies;
  /** An operator keeps time from releasing anything, and the service was told so. */
  readonly #isHeld: () => boolean;
  #moments: Moment[] = [];
  /** Sources whose deletion was told as an event, and that were not shown since. */
  readonly #deleted = new Set<string>();
  /** When an event or a list last showed it. */
  readonly #shownMs = new Map<string, number>();
  /** When a read of one object last showed it. */
  readonly #lookedMs = new Map<string, number>();
  /** By location and source: in how many complete observations in a row it was absent, and since when. */
  readonly #confirmed = new Map<string, { times: number; sinceMs: number }>();
  /** The cluster that answered last, and the newest version that it has shown: versions of two clusters have nothing in common. */
  #cluster: Cluster | undefined;
  #newest = 0;
  /** The server shows an older state than before: no absence is believed until it is confirmed. */
  #wentBack = false;

  constructor(options: { world: World; cell: SimulatedCell; told: ToldCopies; isHeld: () => boolean }) {
    this.#world = options.world;
    this.#cell = options.cell;
    this.#told = options.told;
    this.#isHeld = options.isHeld;
  }

  /** Takes what the service reads of the cell's slices. */
  readonly hear = (heard: Heard): void => {
    this.#meet(this.#world.clusterOf(this.#cell));
    if (heard.kind === 'shown') this.#show(keyOf(heard.object));
    else if (heard.kind === 'gone') this.#deleted.add(keyOf(heard.object));
    else if (heard.kind === 'listed') this.#conclude(heard);
    else this.#stand(Number(heard.version), { isServersWord: heard.kind === 'stands' });
  };

  /** A read of that one source showed it. */
  looked(source: string): void {
    this.#lookedMs.set(source, this.#nowMs());
  }

  /** Why a copy whose source is absent may not go, where that was found at `fromMs` and acted on at `toMs`; undefined when it may. */
  obstacle(copy: { location: string; source: string }, { fromMs, toMs }: { fromMs: number; toMs: number }): string | undefined {
    if (this.#deleted.has(copy.source)) return undefined;
    this.#approve();
    const first = this.#moments.findLastIndex(({ ms }) => ms <= fromMs);
    const meant = this.#moments.slice(Math.max(first, 0)).filter(({ ms }) => ms <= toMs);
    if (meant.length === 0) return 'its cell was never listed in full';
    const release = meant.map(({ locations }) => releaseOf(locations.get(copy.location), copy.source)).find(Boolean);
    if (release === undefined) return 'too much is missing at once to be believed';
    count(this.#world.decisions, `weak withdrawal ${release}`);
    return undefined;
  }

  #show(source: string): void {
    this.#deleted.delete(source);
    this.#shownMs.set(source, this.#nowMs());
  }

  #meet(cluster: Cluster): void {
    if (cluster === this.#cluster) return;
    this.#cluster = cluster;
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
    const seen = new Set(objects.map(keyOf));
    for (const [source, ms] of this.#lookedMs) if (ms >= sinceMs) seen.add(source);
    this.#confirm(seen);
    const before = this.#moments.at(-1)?.locations;
    const locations = new Map<string, Belief>();
    for (const [location, sources] of this.#copies())
      locations.set(location, this.#believe(before?.get(location), { location, sources, seen }));
    this.#wentBack &&= [...locations.values()].some(({ absent }) => absent.size > 0);
    const nowMs = this.#nowMs();
    this.#moments = [...this.#moments.filter(({ ms }) => ms >= nowMs - KEPT_MS), { ms: nowMs, locations }];
  }

  #believe(before: Belief | undefined, { location, sources, seen }: { location: string; sources: Set<string>; seen: Set<string> }): Belief {
    const { believedAbsent } = this.#world.guard;
    const absent = new Set([...sources].filter((source) => !seen.has(source)));
    const isSudden = absent.size > believedAbsent && seen.size < sources.size / 2;
    const frozen = isSudden || (this.#wentBack && absent.size > 0);
    const released = new Map([...(before?.released ?? [])].filter(([source]) => frozen && absent.has(source)));
    for (const source of absent) if (this.#isConfirmed(`${location} ${source}`)) released.set(source, 'confirmed');
    if (before?.frozen && !frozen && [...before.absent].some((source) => seen.has(source))) count(this.#world.decisions, 'freeze over');
    if (!before?.frozen && frozen) count(this.#world.decisions, isSudden ? 'freeze begun' : 'freeze begun after going back');
    return { frozen, absent, released };
  }

  /**
   * Notes for every copy on the hub whether its source was absent once more. The service may know a copy by a read of its own, before
   * the hub's list has told of it.
   */
  #confirm(seen: ReadonlySet<string>): void {
    for (const held of this.#world.hub.list(ENDPOINT_SLICES)) {
      const marks = marksOf(held);
      if (!marks) continue;
      const source = `${held.metadata.namespace ?? ''}/${marks.source}`;
      const { times, sinceMs } = this.#confirmed.get(`${marks.location} ${source}`) ?? { times: 0, sinceMs: 0 };
      const isFirst = times === 0;
      const now = { times: times + 1, sinceMs: isFirst ? this.#nowMs() : sinceMs };
      this.#confirmed.set(`${marks.location} ${source}`, seen.has(source) ? { times: 0, sinceMs: 0 } : now);
    }
  }

  /** At least so many complete observations, over at least so long, must have missed it; a held set is not released by time. */
  #isConfirmed(key: string): boolean {
    const { confirmations, confirmAfterMs } = this.#world.guard;
    const { times, sinceMs } = this.#confirmed.get(key) ?? { times: 0, sinceMs: 0 };
    if (confirmAfterMs === undefined || times < confirmations || this.#nowMs() - sinceMs < confirmAfterMs) return false;
    if (this.#isHeld()) count(this.#world.decisions, 'held though confirmed');
    return !this.#isHeld();
  }

  /** An approval releases exactly what it names, and only while nothing else is missing: what was shown again since is not. */
  #approve(): void {
    const moment = this.#moments.at(-1);
    for (const { absent, released, frozen } of moment?.locations.values() ?? []) {
      const missing = [...absent].filter((source) => (this.#shownMs.get(source) ?? -Infinity) <= (moment?.ms ?? 0));
      const approval = this.#cell.approvals.find((approved) => missing.every((source) => approved.has(source)));
      if (frozen && approval) for (const source of approval) if (!released.has(source)) released.set(source, 'approved');
    }
  }

  /** The sources of the copies that the hub holds for this cell, by location. */
  #copies(): Map<string, Set<string>> {
    const copies = new Map<string, Set<string>>();
    for (const { location, source, clusterUid } of this.#told.list()) {
      if (!this.#cell.clusters.some(({ uid }) => uid === clusterUid)) continue;
      copies.set(location, (copies.get(location) ?? new Set()).add(source));
    }
    return copies;
  }

  #nowMs(): number {
    return this.#world.clock.monotonicMs();
  }
}

function releaseOf(belief: Belief | undefined, source: string): Release | undefined {
  return belief?.frozen ? belief.released.get(source) : 'believed';
}
