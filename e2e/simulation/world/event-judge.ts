import type { KubeObject } from '#api/objects.ts';
import { EVENTS } from '#api/resources.ts';
import { isObject, isRecord } from '#kube/objects.ts';
import { versionPath } from '#kube/paths.ts';
import type { ApiRequest } from '#kube/transport.ts';
import { count } from '#e2e/simulation/network/link.ts';
import type { World } from '#e2e/simulation/world/world.ts';

/**
 * Holds what one run of the service tells by Events against invariant 6: it tells what changes, and the same never twice in a row.
 * A request whose answer was lost may be made again, as long as the hub keeps one Event of it.
 */
export class EventJudge {
  readonly #world: World;
  /** By report and what was being done: what was told last. */
  readonly #told = new Map<string, Told>();

  constructor(world: World) {
    this.#world = world;
  }

  /** Notes what the hub has answered to a request about Events. */
  note({ method, path, body }: ApiRequest, status: number): void {
    const event: unknown = JSON.parse(body ?? 'null');
    if (method !== 'POST' || !isObject<KubeObject>(event)) return this.#world.violate(3, `${method} ${path} on the hub`);
    const { subject, reason, words, about } = wordsOf(event);
    this.#world.tell(`told of ${subject}: ${words.slice(0, 60)} (${status})`);
    const isRepeated = this.#told.get(subject)?.words === words;
    if (isRepeated && (status === 201 || this.#world.calm)) this.#world.violate(6, `tells again of ${subject}: ${words.slice(0, 80)}`);
    if (status !== 201 && status !== 409) return;
    this.#told.set(subject, { about, reason, words });
    count(this.#world.decisions, `told ${reason}`);
  }

  /** The hub would not hear something: what it has heard last may have become untrue since, and true again. */
  failed(): void {
    this.#told.clear();
  }

  /** Notes what a report says was told last: what is no longer in it may be told again, though the hub would not hear that it was over. */
  reported(about: string, { body }: ApiRequest): void {
    const report: unknown = JSON.parse(body ?? 'null');
    const status = isRecord(report) && isRecord(report['status']) ? report['status'] : {};
    const announced: unknown[] = Array.isArray(status['announced']) ? status['announced'] : [];
    const reasons = new Set(announced.map((each) => (isRecord(each) ? each['reason'] : undefined)));
    for (const [subject, told] of this.#told) if (told.about === about && !reasons.has(told.reason)) this.#told.delete(subject);
  }
}

type Told = { about: string; reason: string; words: string };

/** Whom an Event is about and what was being done, and all that it says. */
function wordsOf({ regarding, action, type, reason, note }: KubeObject): Told & { subject: string } {
  const name = isRecord(regarding) ? regarding['name'] : undefined;
  return {
    subject: `${String(name)} ${String(action)}`,
    about: String(name),
    reason: String(reason),
    words: `${String(type)} ${String(reason)}: ${String(note)}`,
  };
}

/** True for a path of Events. */
export function isEventPath(path: string): boolean {
  return path.startsWith(`${versionPath(EVENTS)}/`);
}
