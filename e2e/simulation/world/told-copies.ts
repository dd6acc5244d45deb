import { isDeepStrictEqual } from 'node:util';
import type { KubeObject } from '#api/objects.ts';
import { ENDPOINT_SLICES } from '#api/resources.ts';
import type { Heard } from '#e2e/simulation/network/overhear.ts';
import { marksOf } from '#e2e/simulation/world/fate.ts';
import { keyOf } from '#e2e/simulation/world/requests.ts';
import type { World } from '#e2e/simulation/world/world.ts';

/** A copy of which the hub has told one run of the service: the location it is for, and the key of its source. */
export type ToldCopy = { location: string; source: string; clusterUid: string };

/** Copies that one run of the service must know of: its list and watch of the hub showed them, and they stand there as shown. */
export class ToldCopies {
  readonly #world: World;
  readonly #shown = new Map<string, KubeObject>();

  constructor(world: World) {
    this.#world = world;
  }

  readonly hear = (heard: Heard): void => {
    if (heard.kind === 'shown') this.#shown.set(keyOf(heard.object), heard.object);
    if (heard.kind === 'gone') this.#shown.delete(keyOf(heard.object));
    if (heard.kind !== 'listed') return;
    // What an event should have told may be missing from a list that is sent as events.
    const listed = new Set(heard.objects.map(keyOf));
    for (const key of this.#shown.keys()) if (!listed.has(key)) this.#shown.delete(key);
  };

  /** All of them, now. */
  list(): ToldCopy[] {
    return [...this.#shown.values()].flatMap((shown) => {
      const { namespace = '', name, uid } = shown.metadata;
      const held = this.#world.hub.at({ resource: ENDPOINT_SLICES, namespace, name });
      const marks = marksOf(shown);
      if (!marks || !held || held.metadata.uid !== uid || !isDeepStrictEqual(marks, marksOf(held))) return [];
      return [{ location: marks.location, source: `${namespace}/${marks.source}`, clusterUid: marks.clusterUid }];
    });
  }
}

/** The sources of all copies that the hub holds at this moment, whoever was told of them. */
export function sourcesOnHub(world: World): Set<string> {
  const sources = new Set<string>();
  for (const held of world.hub.list(ENDPOINT_SLICES)) {
    const marks = marksOf(held);
    if (marks) sources.add(`${held.metadata.namespace ?? ''}/${marks.source}`);
  }
  return sources;
}
