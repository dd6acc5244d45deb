import { randomUUID } from 'node:crypto';
import { UPSTREAM_CLUSTER_NAME, UPSTREAM_NAMESPACE } from '#api/keys.ts';
import type { EndpointSlice } from '#api/objects.ts';
import { eventually } from '#e2e/eventually.ts';
import { type Federation, type FederationOptions, startFederation } from '#e2e/federation.ts';
import { rootSuite } from '#e2e/root-suite.ts';
import { createNamespace, slicesOf } from '#e2e/scenario/slices.ts';
import { type SourceOptions, sourceObject } from '#e2e/scenario/source-object.ts';
import type { Plane } from '#planes/plane.ts';

/** Starts and stops of planes on a busy machine; the first start may have to build the programs. */
const START_MS = 20 * 60_000;
/** Karmada retries a member that was away after some seconds. */
const DELIVERY_MS = 60_000;

/** A slice in the first cell of a federation, and its copy on every plane. */
export type Delivery = {
  source: EndpointSlice;
  copyName: string;
  /** The copy as a plane holds it. */
  on(plane: Plane): Promise<EndpointSlice | undefined>;
  /** Waits until every one of these planes holds a copy that fits. */
  expectOn(planes: readonly Plane[], holds?: (copy: EndpointSlice) => boolean): Promise<void>;
  /** Waits until none of these planes holds a copy. */
  expectGone(planes: readonly Plane[]): Promise<void>;
  patch(patch: object): Promise<EndpointSlice>;
  delete(): Promise<void>;
};

/** So often that a test can wait for two sweeps; and a loss that a handful of slices can show is not believed. */
const WRITEBACK = { sweepInterval: '500ms', retryInterval: '500ms', shrinkGuard: { believedAbsent: 2, confirmAfter: 'never' } };

/**
 * Gives a suite a federation with real Karmada and the service beside it; the returned function answers inside tests. Suites in a row that
 * want the same kind of federation have the same one, and keep apart by namespaces.
 */
export function useFederation(options: FederationOptions = {}): () => Federation {
  let federation: Federation | undefined;
  before('start the federation', async function () {
    this.timeout(START_MS);
    const suite = this.test?.parent;
    if (!suite) throw new Error('A federation needs a suite');
    federation = await sharedFederation(rootSuite(suite), options);
  });
  afterEach('show what the service said', function () {
    if (this.currentTest?.state === 'failed') console.log(`The service's last lines:\n${federation?.service.logTail()}`);
  });
  return () => {
    if (!federation) throw new Error('There is no federation before the first test');
    return federation;
  };
}

/** The federation that the last suite had. One at a time: seven idle planes take a tenth of a processor. */
let last: { kind: string; federation: Promise<Federation> } | undefined;

async function sharedFederation(root: Mocha.Suite, options: FederationOptions): Promise<Federation> {
  const kind = JSON.stringify(options);
  if (last?.kind === kind) return last.federation;
  if (last === undefined) root.afterAll('stop the federation', () => stopLast());
  await stopLast();
  const federation = startFederation({ writeback: WRITEBACK, ...options });
  last = { kind, federation };
  return federation;
}

async function stopLast(): Promise<void> {
  await (await last?.federation)?.environment.stop();
}

/** Everywhere that a copy is delivered to. */
export function gatewaysOf({ cells, gateway }: Federation): Plane[] {
  return [...cells, gateway];
}

/** Writes a slice into the first cell, in a namespace of its own, and answers once the hub has its copy. */
export async function deliver({ hub, cells: [cell] }: Federation, options: SourceOptions = {}): Promise<Delivery> {
  const namespace = `ns-${randomUUID()}`;
  const labels = { [UPSTREAM_CLUSTER_NAME]: 'cluster-acme_shop', [UPSTREAM_NAMESPACE]: 'default' };
  // In the cell first: Karmada makes the hub's namespaces there within a second.
  for (const plane of [cell, hub]) await createNamespace(plane.admin, { name: namespace, labels });
  const key = { namespace, name: 'web-0' };
  const source = await slicesOf(cell.admin).create(sourceObject(key, options));
  const copyName = `vpc-${cell.name}.${key.name}`;
  const on = (plane: Plane) => slicesOf(plane.admin).read({ namespace, name: copyName });
  const delivery: Delivery = {
    ...{ source, copyName, on },
    async expectOn(planes, holds = () => true) {
      const look = async (plane: Plane) => {
        const copy = await on(plane);
        return copy !== undefined && holds(copy);
      };
      await Promise.all(
        planes.map((plane) => eventually(`${plane.name} holds ${copyName}`, () => look(plane), { deadlineMs: DELIVERY_MS })),
      );
    },
    async expectGone(planes) {
      const look = async (plane: Plane) => (await on(plane)) === undefined;
      await Promise.all(
        planes.map((plane) => eventually(`${plane.name} lost ${copyName}`, () => look(plane), { deadlineMs: DELIVERY_MS })),
      );
    },
    patch: (patch) => slicesOf(cell.admin).patch(key, patch),
    delete: () => slicesOf(cell.admin).delete(key),
  };
  await delivery.expectOn([hub]);
  return delivery;
}
