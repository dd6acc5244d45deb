// A copy has a propagated label while its source has it. Karmada never moves a claimed object to another policy: a copy whose
// propagated label changed is deleted and made anew, and one that was relabelled by hand is put right in place.
import assert from 'node:assert/strict';
import { LOCATION, NETWORK } from '#api/keys.ts';
import { useProjects } from '#e2e/project-scenario.ts';
import { contextFields, NETWORK_CONTEXTS } from '#e2e/scenario/project-kinds.ts';

describe('a propagated label', () => {
  const scenario = useProjects();

  async function publishContext() {
    const { p1, declared } = scenario();
    const context = declared(p1, NETWORK_CONTEXTS, { namespace: await p1.createNamespace(), name: 'net-dfw' });
    await context.publish(contextFields({ network: 'net', location: 'dfw' }));
    return { context, uid: (await context.copy())?.metadata.uid };
  }

  it('that is removed goes from the copy', async () => {
    const { context } = await publishContext();
    await context.patch({ metadata: { labels: { [LOCATION]: null } } });
    const copy = await context.expectCopy();
    assert.equal(copy.metadata.labels?.[LOCATION], undefined);
    assert.equal(copy.metadata.labels?.[NETWORK], 'net');
  });

  it('that changes makes the copy another object', async () => {
    const { context, uid } = await publishContext();
    await context.patch({ metadata: { labels: { [LOCATION]: 'ams' } } });
    assert.notEqual((await context.expectCopy()).metadata.uid, uid);
  });

  it('that comes makes the copy another object, since it was claimed by no policy or by another one', async () => {
    const { p1, declared } = scenario();
    const context = declared(p1, NETWORK_CONTEXTS, { namespace: await p1.createNamespace(), name: 'net-dfw' });
    await context.publish(contextFields({ network: 'net', location: null }));
    await context.patch({ metadata: { labels: { [LOCATION]: 'dfw' } } });
    await context.expectCopy();
  });

  it('that was changed on the copy by hand is put right in place', async () => {
    const { context, uid } = await publishContext();
    await context.patchCopy({ metadata: { labels: { [LOCATION]: 'elsewhere' } } });
    assert.equal((await context.expectCopy()).metadata.uid, uid);
  });

  it('is the only kind of label that crosses', async () => {
    const { context } = await publishContext();
    await context.patch({ metadata: { labels: { 'karmada.io/managed-by': 'x', team: 'blue' }, annotations: { note: 'mine' } } });
    await context.patch({ spec: { mtu: 1400 } });
    await context.expectCopy();
  });
});
