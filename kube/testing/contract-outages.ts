import assert from 'node:assert/strict';
import { ENDPOINT_SLICES } from '#api/resources.ts';
import type { Client } from '#kube/client.ts';
import { getObject } from '#kube/get.ts';
import {
  WIDGETS,
  installWidgets,
  makeNamespace,
  putSlice,
  removeSlice,
  removeWidgets,
  signal,
  sliceNamed,
} from '#kube/testing/contract-server.ts';
import type { ContractServer } from '#kube/testing/contract-server.ts';
import { CutTransport } from '#kube/testing/cut-transport.ts';
import { observeNames } from '#kube/testing/observed-names.ts';
import type { ObservedNames } from '#kube/testing/observed-names.ts';
import { until } from '#kube/testing/until.ts';

const resource = ENDPOINT_SLICES;
const IDLE_MS = 2_000;

/** What a reflector makes of a server that fails in every way that there is. */
export function contractOfOutages(server: () => ContractServer): void {
  outages(server);
  oldData(server);
  silence(server);
  missingKinds(server);
}

function outages(server: () => ContractServer): void {
  it('goes on where it was when the server comes back, without a new list', async () => {
    const { client, namespace, observed } = await scene(server());
    await server().goAway();
    await until('the outage is noticed', () => observed.reflector.state.error !== undefined);
    await server().comeBack();
    await removeSlice(client, namespace, 'a');
    await putSlice(client, sliceNamed(namespace, 'c'));
    await until('what happened since is seen', () => sees(observed, 'bc'));
    assert.equal(observed.reflector.state.complete, true);
    assert.equal(observed.reflector.state.epoch, 1);
    await observed.stop();
  });

  it('sees what happened while its watch was cut, deletions too, without a new list', async () => {
    const { client, namespace, observed, transport } = await scene(server());
    transport.cut();
    await until('the cut is noticed', () => observed.reflector.state.phase === 'waiting');
    await removeSlice(client, namespace, 'a');
    await putSlice(client, sliceNamed(namespace, 'c'));
    transport.mend();
    await until('the present is seen', () => sees(observed, 'bc'));
    assert.equal(observed.completed, 1);
    await observed.stop();
  });

  it('lists again when the server has forgotten where it was, and finds what was deleted meanwhile', async () => {
    const { client, namespace, observed, transport } = await scene(server());
    transport.cut();
    await removeSlice(client, namespace, 'a');
    await putSlice(client, sliceNamed(namespace, 'c'));
    await server().forgetHistory();
    transport.mend();
    await until('the present is seen', () => sees(observed, 'bc'));
    assert.deepEqual(observed.begun.at(-1), { epoch: 1, wentBack: false });
    assert.equal(observed.completed, 2);
    await observed.stop();
  });
}

function oldData(server: () => ContractServer): void {
  it('begins a new epoch when the server restarts with older data', async () => {
    const { client, namespace, observed } = await scene(server());
    await server().keepData();
    await until('the server is seen again', () => observed.reflector.state.phase === 'watching');
    await putSlice(client, sliceNamed(namespace, 'c'));
    await removeSlice(client, namespace, 'a');
    await until('the change is seen', () => sees(observed, 'bc'));
    await server().goBack();
    await until('the older state is seen', () => sees(observed, 'ab') && observed.reflector.state.complete);
    assert.equal(observed.reflector.state.epoch, 2);
    assert.deepEqual(observed.begun.at(-1), { epoch: 2, wentBack: true });
    await putSlice(client, sliceNamed(namespace, 'd'));
    await until('what follows is seen', () => sees(observed, 'abd'));
    await observed.stop();
  });
}

function silence(server: () => ContractServer): void {
  it('notices a server that hangs, and goes on when it answers again', async () => {
    const { client, namespace, observed } = await scene(server());
    server().freeze();
    try {
      await until('the silence is noticed', () => observed.reflector.state.phase !== 'watching');
      const ref = { resource, namespace, name: 'a' };
      await assert.rejects(getObject(client, ref, { signal, deadlineMs: 500 }), { code: 'Timeout' });
    } finally {
      server().thaw();
    }
    await removeSlice(client, namespace, 'a');
    await until('what happened since is seen', () => sees(observed, 'b'));
    assert.equal(observed.reflector.state.epoch, 1);
    await observed.stop();
  });
}

function missingKinds(server: () => ContractServer): void {
  it('waits for a kind that is not served, and takes its going for no deletion', async () => {
    const { client } = server();
    const namespace = await makeNamespace(client);
    const observed = observeNames(client, { resource: WIDGETS, namespace, idleMs: IDLE_MS });
    await until('the kind is missed', () => observed.failures.length > 0);
    assert.equal(observed.reflector.state.complete, false);
    await installWidgets(client);
    await until('a whole list is seen', () => observed.completed === 1);
    const failures = observed.failures.length;
    await removeWidgets(client);
    await until('the kind is missed again', () => observed.failures.length > failures);
    assert.equal(observed.completed, 1);
    await installWidgets(client);
    await until('a whole list is seen again', () => observed.completed === 2);
    await observed.stop();
    await removeWidgets(client);
  });
}

function sees({ names }: ObservedNames, expected: string): boolean {
  return [...names.keys()].toSorted().join('') === expected;
}

type Scene = { client: Client; namespace: string; observed: ObservedNames; transport: CutTransport };

/** A namespace with the slices a and b, and a reflector that has seen them over a transport of its own. */
async function scene({ client }: ContractServer): Promise<Scene> {
  const namespace = await makeNamespace(client);
  for (const name of ['a', 'b']) await putSlice(client, sliceNamed(namespace, name));
  const transport = new CutTransport(client.transport);
  const observed = observeNames({ ...client, transport }, { resource, namespace, idleMs: IDLE_MS });
  await until('both are seen', () => observed.completed === 1 && sees(observed, 'ab'));
  return { client, namespace, observed, transport };
}
