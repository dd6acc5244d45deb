import assert from 'node:assert/strict';
import { json } from '#kube/testing/scripted-transport.ts';
import { reconcileLocation } from '#policies/reconcile-location.ts';
import { gone, identityOf, listLocations, scriptedContext } from '#policies/testing/context.ts';

const signal = new AbortController().signal;
const cityless = json({ kind: 'Location', metadata: { name: 'dfw', uid: 'l', generation: 1 }, spec: { topology: {} } });
const nothingHeld = [gone('servinglocations', 'dfw'), gone('clusterpropagationpolicies', 'location-dfw')];
const noList = (kind: string) => json({ kind: `${kind}List`, metadata: { resourceVersion: '1' }, items: [] });
const event = json({ kind: 'Event', metadata: { name: 'told' } });
const whoIsThere = identityOf('u1');

/** A bound publisher whose watch of Locations has been complete, and has not told of `dfw`. */
async function laggingPublisher(answers: Required<Parameters<typeof scriptedContext>>[0]) {
  const scene = scriptedContext({ ...answers, source: [whoIsThere, ...(answers.source ?? [])] });
  await scene.context.identity.bind(signal);
  listLocations(scene.context);
  for (const { handler } of [scene.context.stores.held, scene.context.stores.policies]) {
    handler.listStarted({ epoch: 1, wentBack: false });
    handler.listCompleted();
  }
  const look = (priority: 'live' | 'sweep') => reconcileLocation(scene.context, 'dfw', { signal, priority });
  const told = () => scene.hub.transport.requests.filter(({ method }) => method === 'POST').length;
  return { ...scene, look, told };
}

describe('a location that its watch has not told of', () => {
  it('is told once of, when a full pass found it first', async () => {
    const { look, told } = await laggingPublisher({
      hub: [...nothingHeld, event, ...nothingHeld, ...nothingHeld],
      source: [cityless, whoIsThere, cityless, whoIsThere, cityless, whoIsThere],
    });
    await look('sweep');
    await look('live');
    await look('sweep');
    assert.equal(told(), 1);
  });

  it('is told of again, when it was gone in between', async () => {
    const { look, told } = await laggingPublisher({
      hub: [...nothingHeld, event, ...nothingHeld, noList('Cluster'), ...nothingHeld, event],
      source: [cityless, whoIsThere, gone('locations', 'dfw'), noList('Location'), whoIsThere, cityless, whoIsThere],
    });
    await look('sweep');
    await look('live');
    await look('sweep');
    assert.equal(told(), 2);
  });

  it('costs no read while nothing was reported of it', async () => {
    const { look, source } = await laggingPublisher({});
    const before = source.transport.requests.length;
    assert.deepEqual(await look('live'), { action: 'none' });
    assert.equal(source.transport.requests.length, before);
  });
});
