import type { Identity } from '#mirror/cluster-identity.ts';

/**
 * True when a cell's report says otherwise than what its name is bound to: the record was removed to bind anew, or it could not be read when
 * the name was bound, and shows another cluster now (contract section 5, "Identity and epochs").
 * `recorded`: the cluster in the report; undefined: none. `givesWay`: another name stands for the same cluster, and no record is missing.
 */
export function isBoundOtherwise(state: Identity | undefined, recorded: string | undefined, { givesWay }: { givesWay: boolean }): boolean {
  if (state?.kind === 'bound') return recorded !== undefined && recorded !== state.uid;
  return state !== undefined && recorded === undefined && !givesWay;
}
