import { isDeepStrictEqual } from 'node:util';
import type { KubeObject } from '#api/objects.ts';
import { isLocationName } from '#mirror/location-name.ts';
import type { Observation } from '#mirror/observation.ts';
import type { HeldObject } from '#policies/held-object.ts';
import { locationPolicy } from '#policies/location-policy.ts';
import type { MemberCluster } from '#policies/member-cluster.ts';
import { type BlockReason, findBlock } from '#policies/removal-guards.ts';
import { desiredServingLocation } from '#policies/serving-location.ts';
import { hasCityCode, type SourceLocation } from '#policies/source-location.ts';

/** All that the fate of one location on the hub depends on. */
export type LocationView = {
  name: string;
  source: Observation<SourceLocation>;
  /** The serving location on the hub. */
  held: Observation<HeldObject>;
  /** The policy of that location on the hub. */
  policy: Observation<HeldObject>;
  /** How many Locations the source lists; unknown until a list of them is complete. */
  sourceCount: Observation<number>;
  clusters: Observation<MemberCluster[]>;
  /** RFC 3339; the moment of publication, where the content changes. */
  now: string;
};

/** One object to write, over the one with this uid or, without one, as a new one. */
export type Write = { object: KubeObject; over: HeldObject | undefined };

/** What to bring about on the hub for one location. */
export type LocationDecision =
  /** Undefined: the hub holds it exactly so. `refused`: the policy's name is somebody else's. */
  | { kind: 'publish'; location: Write | undefined; policy: Write | undefined; refused: boolean }
  /** Leave the hub as it is. `unblock`: take the removal-blocked annotation off, as the location is there again. */
  | { kind: 'keep'; reason: KeepReason; unblock: HeldObject | undefined }
  | { kind: 'wait'; reason: WaitReason }
  /** The serving location's name is somebody else's. */
  | { kind: 'refuse' }
  /** `text` is what its annotation should say; `over` is absent where there is nothing to write it on, or it says so already. */
  | { kind: 'block'; reason: BlockReason; text: string; over: HeldObject | undefined }
  /** The serving location first, then the policy; each only where it is ours. */
  | { kind: 'remove'; location: HeldObject | undefined; policy: HeldObject | undefined }
  /** Neither a source nor anything of ours. */
  | { kind: 'none' };

type KeepReason = 'SourceUnread' | 'HubUnread' | 'InvalidLocationName' | 'LocationDeleting' | 'MissingCityCode' | 'EmptySourceList';
type WaitReason = 'CopyTerminating' | 'FleetUnread';

/**
 * The one decision about a location (contract section 4, "ServingLocation publisher"). Pure and total.
 * Whatever is unknown removes nothing, the clusters included, and no annotation of an operator's changes that.
 */
export function decideLocation(view: LocationView): LocationDecision {
  if (view.source.kind === 'unknown') return keep('SourceUnread');
  if (view.held.kind === 'unknown' || view.policy.kind === 'unknown') return keep('HubUnread');
  const on = { held: objectOf(view.held), policy: objectOf(view.policy) };
  return view.source.kind === 'present' ? publication(view, view.source.object, on) : removal(view, on);
}

type OnHub = { held: HeldObject | undefined; policy: HeldObject | undefined };

/** Publishing does not wait for the Location to be Ready: what is declared is served, and clusters may come later. */
function publication({ name, now }: LocationView, source: SourceLocation, { held, policy }: OnHub): LocationDecision {
  // No cell would accept such a name, and its labels would not take it.
  if (!isLocationName(name)) return keep('InvalidLocationName');
  // Somebody's finalizer holds it: things may still run there. What is up stays, and goes once the Location is gone.
  if (source.deleting) return keep('LocationDeleting');
  if (held && !held.ours) return { kind: 'refuse' };
  if (!hasCityCode(source)) return keep('MissingCityCode', held?.blocked === undefined ? undefined : held);
  if (held?.terminating || (policy?.ours && policy.terminating)) return wait('CopyTerminating');
  const desired = desiredServingLocation(name, source, { heldSpec: held?.spec, now });
  const unlikeLocation = held === undefined || held.blocked !== undefined || differs(held, desired);
  const wanted = locationPolicy(name);
  return {
    kind: 'publish',
    location: unlikeLocation ? { object: desired, over: held } : undefined,
    policy: policy === undefined || (policy.ours && differs(policy, wanted)) ? { object: wanted, over: policy } : undefined,
    refused: policy !== undefined && !policy.ours,
  };
}

function removal({ name: location, sourceCount, clusters }: LocationView, onHub: OnHub): LocationDecision {
  const [held, policy] = [oursOf(onHub.held), oursOf(onHub.policy)];
  if (!held && !policy) return { kind: 'none' };
  if ((held ?? policy)?.terminating) return wait('CopyTerminating');
  if (sourceCount.kind !== 'present') return keep('EmptySourceList');
  if (clusters.kind !== 'present') return wait('FleetUnread');
  const override = held?.override === true || policy?.override === true;
  const block = findBlock({ location, sourceCount: sourceCount.object, clusters: clusters.object, override });
  if (!block) return { kind: 'remove', location: held, policy };
  const text = `${block.reason}: ${block.message}`;
  return { kind: 'block', reason: block.reason, text, over: held && held.blocked !== text ? held : undefined };
}

function differs(held: HeldObject, desired: KubeObject): boolean {
  return !isDeepStrictEqual(held.spec, desired['spec']);
}

function objectOf(observation: Exclude<Observation<HeldObject>, { kind: 'unknown' }>): HeldObject | undefined {
  return observation.kind === 'present' ? observation.object : undefined;
}

function oursOf(held: HeldObject | undefined): HeldObject | undefined {
  return held?.ours ? held : undefined;
}

function keep(reason: KeepReason, unblock?: HeldObject): LocationDecision {
  return { kind: 'keep', reason, unblock };
}

function wait(reason: WaitReason): LocationDecision {
  return { kind: 'wait', reason };
}
