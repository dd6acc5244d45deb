import { ENDPOINT_SLICES } from '#api/resources.ts';
import type { KubeObject, ObjectMeta } from '#api/objects.ts';
import type { Client } from '#kube/client.ts';
import { Gate, type Priority } from '#kube/gate.ts';
import { ManualClock } from '#kube/testing/manual-clock.ts';
import { recordingLog } from '#kube/testing/scripted-client.ts';
import { ClusterIdentity } from '#mirror/cluster-identity.ts';
import { concludeList } from '#mirror/conclude.ts';
import { DirtyBuffer } from '#mirror/dirty-buffer.ts';
import { Holds } from '#mirror/holds.ts';
import { judge, judgeDeleted } from '#mirror/judge.ts';
import type { MirrorContext, Outcome } from '#mirror/mirror-context.ts';
import type { Decision, Observation, Occupant } from '#mirror/observation.ts';
import { ObservedStore } from '#mirror/observed-store.ts';
import { PublishedIndex } from '#mirror/published-index.ts';
import { reconcile } from '#mirror/reconcile.ts';
import { ShrinkGuard } from '#mirror/shrink-guard.ts';
import { describeCopy, FIELD_MANAGER } from '#mirror/testing/copies.ts';
import { MemoryServer } from '#mirror/testing/memory-server.ts';
import { Workqueue } from '#mirror/workqueue.ts';

const NEVER = new AbortController().signal;
const SLICES = '/apis/discovery.k8s.io/v1/namespaces/ns/endpointslices';

/** Path of the source of that name, on its plane. */
export const sourcePath = (name: string) => `${SLICES}/${name}`;
/** Path of the copy of the source of that name, on the hub. */
export const copyPath = (source: string) => `${SLICES}/copy-${source}`;
/** Path of the object whose uid says which cluster a plane is. */
export const IDENTITY_PATH = '/api/v1/namespaces/kube-system';

/**
 * A mirror's both ends on servers in memory, with rules that mirror every slice that has a `tenant` label, and nothing that
 * runs by itself: a test says when a list or an event arrives and when a key is reconciled.
 */
export async function mirrorScene() {
  const clock = new ManualClock();
  const [source, hub] = [new MemoryServer(), new MemoryServer()];
  source.put(IDENTITY_PATH, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'kube-system', uid: 'cell-uid' } });
  const clients = { source: client('cell-1', source, clock), hub: client('hub', hub, clock) };
  const identity = new ClusterIdentity(clients.source);
  clients.source = identity.client;
  await identity.bind(NEVER);
  source.requests.length = 0;
  await clock.advance(60_000);
  const context = contextOf(clients, identity);
  const tell = tellings(context, { source, hub });
  const reconcileKey = (name: string, priority: Priority = 'live'): Promise<Outcome> =>
    reconcile(context, `ns/${name}`, { signal: NEVER, priority });
  /** Sources and their copies, all known for a minute. */
  const mirrored = async (...names: string[]) => {
    for (const name of names) source.put(sourcePath(name), tenantSlice(name));
    tell.listHub();
    tell.listSources(...names);
    for (const name of names) await reconcileKey(name);
    tell.showCopies(...names);
    await drain(context.queue);
    await clock.advance(60_000);
    for (const server of [source, hub]) server.requests.length = 0;
  };
  return { clock, source, hub, context, ...tell, mirrored, reconcile: reconcileKey };
}

/** A slice with a tenant, or with what `metadata` and `body` say. */
export function tenantSlice(name: string, metadata: Partial<ObjectMeta> = {}, body: Record<string, unknown> = {}): KubeObject {
  const meta = { name, namespace: 'ns', labels: { tenant: 't' }, ...metadata };
  return { apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', metadata: meta, addressType: 'IPv6', ...body };
}

/** The copy that the scene's rules call for. */
export function copyOf({ metadata, ...body }: KubeObject): KubeObject {
  const marks = { source: `ns/${metadata.name}`, cluster: 'cell-uid' };
  return {
    ...body,
    metadata: { name: `copy-${metadata.name}`, namespace: 'ns', labels: { origin: 'here', ours: 'yes' }, annotations: marks },
  };
}

/** An object under the name of the copy of `a` that says of itself otherwise than that copy. */
export function foreignCopy({ labels, annotations }: Pick<ObjectMeta, 'labels' | 'annotations'>): KubeObject {
  const { metadata, ...body } = copyOf(tenantSlice('a'));
  const marks = { labels: { ...metadata.labels, ...labels }, annotations: { ...metadata.annotations, ...annotations } };
  return { ...body, metadata: { ...metadata, ...marks } };
}

function contextOf(clients: { source: Client; hub: Client }, identity: ClusterIdentity): MirrorContext<KubeObject> {
  return {
    ...clients,
    rules: rulesOf(identity),
    observed: new ObservedStore(),
    published: new PublishedIndex({ fieldManager: FIELD_MANAGER, describe: describeCopy }),
    dirty: new DirtyBuffer(),
    strays: new Map(),
    others: { count: 0 },
    queue: new Workqueue(clients.source.clock),
    holds: new Holds(),
    guard: new ShrinkGuard(),
    newestVersion: () => undefined,
    log: recordingLog(),
  };
}

/** What the watches and lists of both sides tell, when a test says so. */
function tellings(context: MirrorContext<KubeObject>, { source, hub }: { source: MemoryServer; hub: MemoryServer }) {
  const { handler } = context.published;
  return {
    /** The sources as a complete list shows them. */
    listSources: (...names: string[]) => {
      context.observed.listStarted(false);
      for (const name of names) judge(context, source.at(sourcePath(name)) ?? tenantSlice(name), { priority: 'repair' });
      concludeList(context, context.guard.epoch);
    },
    /** The copies of these sources as a complete list of the hub shows them. */
    listHub: (...sources: string[]) => {
      handler.listStarted({ epoch: 1, wentBack: false });
      for (const copy of sources.map((name) => hub.at(copyPath(name)))) if (copy) handler.present(copy);
      handler.listCompleted();
    },
    /** The watch of the hub shows the copies of these sources as they are, and those that are gone as gone. */
    showCopies: (...sources: string[]) => {
      for (const name of sources) {
        const copy = hub.at(copyPath(name));
        if (copy) handler.present(copy);
        else handler.deleted({ metadata: { name: `copy-${name}`, namespace: 'ns' } });
      }
    },
    /** The source goes, and the watch shows it. */
    seenDeleted: (name: string) => {
      source.remove(sourcePath(name));
      judgeDeleted(context, `ns/${name}`);
    },
    /** The source changes, and the watch shows it. */
    seen: (name: string, object = tenantSlice(name)) => judge(context, source.put(sourcePath(name), object), { priority: 'live' }),
  };
}

async function drain(queue: Workqueue): Promise<void> {
  while (queue.depth > 0) queue.done((await queue.next(NEVER))?.key ?? '');
}

function client(cluster: string, transport: MemoryServer, clock: ManualClock): Client {
  return { cluster, transport, gate: new Gate({ concurrency: 8, clock }), clock, random: () => 0.5 };
}

function rulesOf(identity: ClusterIdentity): MirrorContext<KubeObject>['rules'] {
  return {
    controller: 'test.slices',
    fieldManager: FIELD_MANAGER,
    source: ENDPOINT_SLICES,
    selector: 'tenant',
    selects: ({ metadata }) => metadata.labels?.['tenant'] !== undefined,
    copy: ENDPOINT_SLICES,
    origin: 'here',
    sourceCluster: 'cell-uid',
    copyKey: (key) => key.replace('/', '/copy-'),
    decide: (_key, observation, occupant) => decide(observation, occupant),
    askSource: (signal) => identity.ask(signal),
    verifySource: (how) => identity.verify(how),
  };
}

function decide(observation: Observation<KubeObject>, occupant: Occupant): Decision<KubeObject> {
  if (observation.kind === 'unknown') return { kind: 'keep', reason: observation.why };
  if (observation.kind === 'absent') return { kind: 'withdraw', reason: 'SourceAbsent', evidence: observation.evidence };
  if (observation.object.metadata.labels?.['tenant'] === undefined) return { kind: 'withdraw', reason: 'TenantGone', evidence: 'strong' };
  if (occupant === 'foreign') return { kind: 'refuse', reason: 'NameTaken' };
  return { kind: 'copy', copy: copyOf(bare(observation.object)) };
}

function bare({ metadata: { name, namespace = 'ns' }, ...body }: KubeObject): KubeObject {
  return { ...body, metadata: { name, namespace } };
}
