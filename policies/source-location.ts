import type { KubeObject } from '#api/objects.ts';
import { CITY_CODE } from '#api/keys.ts';
import { isRecord } from '#kube/objects.ts';

/** What is read of a Location. */
export type SourceLocation = {
  uid: string;
  generation: number;
  /** Whole, whatever it holds. */
  topology: Record<string, unknown>;
  deleting: boolean;
};

/** Reduces a Location to what its publication depends on. */
export function reduceLocation({ metadata, spec }: KubeObject): SourceLocation {
  const topology = isRecord(spec) && isRecord(spec['topology']) ? spec['topology'] : {};
  const { uid = '', generation = 0, deletionTimestamp } = metadata;
  return { uid, generation, topology, deleting: deletionTimestamp !== undefined };
}

/** True when the location says which city it is in; without that it is not published (contract section 4). */
export function hasCityCode({ topology }: SourceLocation): boolean {
  const code = topology[CITY_CODE];
  return typeof code === 'string' && code !== '';
}
