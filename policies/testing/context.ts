import type { KubeObject } from '#api/objects.ts';
import { recordingLog, scriptedClient } from '#kube/testing/scripted-client.ts';
import { type Answer, json, status } from '#kube/testing/scripted-transport.ts';
import { ClusterIdentity } from '#mirror/cluster-identity.ts';
import { LastWrites } from '#policies/last-writes.ts';
import type { LocationContext } from '#policies/location-context.ts';
import { createLocationStores } from '#policies/location-stores.ts';
import { Reporter } from '#policies/reporter.ts';

/** Both ends of a publisher by a script each; the stores hold what a test puts into them. */
export function scriptedContext(answers: { hub?: Answer[]; source?: Answer[] } = {}) {
  const hub = scriptedClient(...(answers.hub ?? []));
  const source = scriptedClient(...(answers.source ?? []));
  const identity = new ClusterIdentity(source);
  const log = recordingLog();
  const told = () => {};
  const stores = createLocationStores({ hub, source, log, pace: { idleMs: 1_000 }, changed: told, guardsChanged: told, settled: told });
  const reporter = new Reporter({ hub, log, count: told });
  const context: LocationContext = {
    hub,
    source: identity.client,
    log,
    stores,
    reporter,
    identity,
    lastWrites: new LastWrites(),
  };
  return { context, hub, source };
}

/** Has the stores hold exactly these Locations, by a complete list. */
export function listLocations({ stores }: LocationContext, ...locations: KubeObject[]): void {
  const { handler } = stores.sources;
  handler.listStarted({ epoch: 1, wentBack: false });
  for (const location of locations) handler.present(location);
  handler.listCompleted();
}

/** The answer that proves an object absent. */
export function gone(plural: string, name: string): Answer {
  return status(404, 'NotFound', { details: { name, kind: plural } });
}

/** The `kube-system` namespace of a plane. */
export function identityOf(uid: string): Answer {
  return json({ kind: 'Namespace', metadata: { name: 'kube-system', uid } });
}
