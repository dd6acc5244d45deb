import { REPLICATOR_FIELD_MANAGER } from '#api/field-managers.ts';
import { UPSTREAM_KIND, UPSTREAM_NAME } from '#api/keys.ts';
import type { Resource } from '#api/resources.ts';
import type { Client } from '#kube/client.ts';
import type { Log } from '#kube/log.ts';
import { Reflector, type ReflectorPace } from '#kube/reflector.ts';
import { findResource } from '#kube/find-resource.ts';
import { PublishedIndex } from '#mirror/published-index.ts';
import { describeObject } from '#replicator/describe-object.ts';
import { controllerName, type ReplicatedKind } from '#replicator/replicated-kind.ts';

/** How often a kind that the hub does not serve yet is looked for. */
const LOOK_AGAIN_MS = 5_000;

/** The hub's copies of one kind, shared by all projects. */
export type KindSide = {
  kind: ReplicatedKind;
  copies: PublishedIndex;
  /** Where the kind is served, once the hub serves it; undefined when the signal aborted first. */
  resource: Promise<Resource | undefined>;
  /** False while the hub does not serve the kind. */
  readonly served: boolean;
  /** Looks for the kind and then watches its copies, until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
};

/** Prepares to watch the hub's copies of a kind, which the hub may not know yet. */
export function createKindSide(options: { kind: ReplicatedKind; hub: Client; pace: ReflectorPace; log: Log }): KindSide {
  const { kind, hub, pace } = options;
  const log = options.log.child({ controller: controllerName(kind), kind: kind.kind });
  const copies = new PublishedIndex({ fieldManager: REPLICATOR_FIELD_MANAGER, describe: (copy) => describeObject(kind, copy) });
  const found = Promise.withResolvers<Resource | undefined>();
  let served = false;
  return {
    kind,
    copies,
    resource: found.promise,
    get served() {
      return served;
    },
    async run(signal) {
      const resource = await untilServed({ kind, hub, log }, signal);
      served = resource !== undefined;
      found.resolve(resource);
      if (!resource) return;
      const labelSelector = `${UPSTREAM_KIND},${UPSTREAM_NAME}`;
      await new Reflector({ client: hub, resource, labelSelector, handler: copies.handler, ...pace, log }).run(signal);
    },
  };
}

/** A kind whose CRD is missing is waited for, and said so once. */
async function untilServed(
  { kind, hub, log }: { kind: ReplicatedKind; hub: Client; log: Log },
  signal: AbortSignal,
): Promise<Resource | undefined> {
  let told = '';
  while (!signal.aborted) {
    try {
      const resource = await findResource(hub, kind, { signal });
      if (resource) return resource;
      if (told !== 'NotServed') log.warn({ reason: 'NotServed' }, 'The hub does not serve a kind that is to be replicated');
      told = 'NotServed';
    } catch (error) {
      if (told !== String(error) && !signal.aborted) log.warn({ err: error }, 'Cannot ask the hub which kinds it serves');
      told = String(error);
    }
    await hub.clock.sleep(LOOK_AGAIN_MS * (0.8 + 0.4 * hub.random()), signal);
  }
  return undefined;
}
