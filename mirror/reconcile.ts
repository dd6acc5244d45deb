import type { KubeObject } from '#api/objects.ts';
import { isNotFound } from '#kube/errors.ts';
import { getObject } from '#kube/get.ts';
import type { Priority } from '#kube/gate.ts';
import { deleteCopy } from '#mirror/delete-copy.ts';
import type { MirrorContext, Outcome } from '#mirror/mirror-context.ts';
import { type ObjectKey, splitKey } from '#mirror/object-key.ts';
import type { Decision, Observation, Occupant } from '#mirror/observation.ts';
import { observe, observeLive } from '#mirror/observe.ts';
import { occupantOf } from '#mirror/occupant.ts';
import { publish } from '#mirror/publish.ts';

/** Before a publication the plane's identity may be this old; before a withdrawal it is always asked for. */
const IDENTITY_MAX_AGE_MS = 10_000;

type Options = { signal: AbortSignal; priority: Priority };

/**
 * Brings one copy to what its source calls for: observe, decide, stop if equal, apply or withdraw.
 * Before anything that cannot be taken back, what the decision rests on is read live and decided again:
 * the source before a withdrawal, the hub's name before a first publication.
 * @throws {ApiError | WaitingError} to the controller; nothing is concluded from a failure.
 */
export async function reconcile<S extends KubeObject>(context: MirrorContext<S>, key: ObjectKey, options: Options): Promise<Outcome> {
  if (isSettled(context, key)) return { action: 'none' };
  const sighting = await observe(context, key, options);
  const decision = decide(context, key, sighting.observation);
  if (decision.kind === 'withdraw' && !sighting.live) return reconcileLive(context, key, options);
  note(context, key, sighting.observation);
  return carryOut(context, key, { ...options, observation: sighting.observation, decision });
}

/** What stands under the copy's name, as far as the index knows. Free means only: no copy of ours was seen. */
export function indexedOccupant<S extends KubeObject>({ rules, published }: MirrorContext<S>, key: ObjectKey): Occupant {
  if (!published.complete) return 'unknown';
  const held = published.get(rules.copyKey(key));
  return held ? occupantOf(held, { ...rules, source: key }) : 'free';
}

/** True when there is nothing to bring about: neither source nor copy, or a copy as the source called for when last judged. */
function isSettled<S extends KubeObject>({ rules, observed, published, dirty }: MirrorContext<S>, key: ObjectKey): boolean {
  const copyKey = rules.copyKey(key);
  if (!observed.complete || !published.complete || dirty.has(key)) return false;
  if (!observed.has(key)) return published.get(copyKey) === undefined;
  const wanted = observed.digestOf(key);
  return wanted !== undefined && published.settled(copyKey, wanted);
}

async function reconcileLive<S extends KubeObject>(context: MirrorContext<S>, key: ObjectKey, options: Options): Promise<Outcome> {
  const observation = await observeLive(context, key, options);
  note(context, key, observation);
  return carryOut(context, key, { ...options, observation, decision: decide(context, key, observation) });
}

function decide<S extends KubeObject>(context: MirrorContext<S>, key: ObjectKey, observation: Observation<S>): Decision<KubeObject> {
  return context.rules.decide(key, observation, indexedOccupant(context, key));
}

/** A live read may know more than the watch told: a source that is there and selected is noted as such. */
function note<S extends KubeObject>({ rules, observed }: MirrorContext<S>, key: ObjectKey, observation: Observation<S>): void {
  if (observation.kind === 'present' && rules.selects(observation.object) && !observed.has(key)) observed.present(key, undefined);
}

async function carryOut<S extends KubeObject>(
  context: MirrorContext<S>,
  key: ObjectKey,
  { decision, observation, ...options }: Options & { decision: Decision<KubeObject>; observation: Observation<S> },
): Promise<Outcome> {
  switch (decision.kind) {
    case 'copy':
      return publishWhereFree(context, key, { ...options, observation, copy: decision.copy });
    case 'withdraw':
      return withdraw(context, key, { ...options, reason: decision.reason });
    case 'keep':
      return { action: 'kept', reason: decision.reason, report: decision.report ?? false };
    case 'wait':
      return { action: 'waiting', reason: decision.reason };
    case 'refuse':
      return { action: 'refused', reason: decision.reason, report: true };
  }
}

async function publishWhereFree<S extends KubeObject>(
  context: MirrorContext<S>,
  key: ObjectKey,
  { copy, observation, ...options }: Options & { copy: KubeObject; observation: Observation<S> },
): Promise<Outcome> {
  const known = context.published.get(context.rules.copyKey(key)) !== undefined;
  const occupant = known ? 'ours' : await liveOccupant(context, key, options);
  if (occupant === 'foreign') {
    const decision = context.rules.decide(key, observation, occupant);
    return carryOut(context, key, { ...options, observation, decision });
  }
  await context.rules.verifySource({ signal: options.signal, maxAgeMs: IDENTITY_MAX_AGE_MS });
  return publish(context, key, copy, options);
}

/** What a live read finds under the copy's name. A copy of ours that the index did not know yet is taken into it. */
async function liveOccupant<S extends KubeObject>(
  { hub, rules, published }: MirrorContext<S>,
  key: ObjectKey,
  options: Options,
): Promise<Occupant> {
  const copyKey = rules.copyKey(key);
  try {
    const found = await published.read(copyKey, () => getObject<KubeObject>(hub, { resource: rules.copy, ...splitKey(copyKey) }, options));
    return occupantOf(published.describe(found), { ...rules, source: key });
  } catch (error) {
    if (isNotFound(error)) return 'free';
    throw error;
  }
}

/** Withdraws on the live observation that led here, after the plane has once more said who it is. */
async function withdraw<S extends KubeObject>(
  context: MirrorContext<S>,
  key: ObjectKey,
  { reason, ...options }: Options & { reason: string },
): Promise<Outcome> {
  const { rules, observed, published } = context;
  if (published.get(rules.copyKey(key)) === undefined) return { action: 'none' };
  await rules.verifySource({ signal: options.signal, maxAgeMs: 0 });
  const outcome = await deleteCopy(context, key, { ...options, because: reason });
  if (outcome.action === 'withdrawn') observed.settleAbsence(key);
  return outcome;
}
