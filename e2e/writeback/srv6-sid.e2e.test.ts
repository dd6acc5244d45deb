// The SRv6 SID crosses byte for byte, however it is spelt, and the edge reads from the copy what it would read from the source.
// A slice without a SID is published all the same; the SID follows when it comes.
import assert from 'node:assert/strict';
import { SRV6_SID } from '#api/keys.ts';
import { readAtEdge } from '#e2e/edge-reader.ts';
import { useScenario } from '#e2e/scenario.ts';

describe('the SID of a published slice', () => {
  const scenario = useScenario();

  for (const sid of ['2001:db8:f00d:1::', '2001:DB8:0:0:0:0:0:1', '::ffff:192.0.2.1', ' not even an address ', '']) {
    it(`crosses as it is spelt: "${sid}"`, async () => {
      const { c1, namespace, source } = scenario();
      const copy = await (await source(c1, await namespace()).create({ sid })).expectCopy();
      assert.equal(copy.metadata.annotations?.[SRV6_SID], sid);
    });
  }

  it('is all that the edge needs, beside the tenant and the address', async () => {
    const { c1, namespace, source } = scenario();
    const pod = await source(c1, await namespace()).create({ tenant: 'aB9-Zz-x', sid: '2001:db8:f00d:2::', address: 'fd20::42' });
    const route = { kind: 'route', vpc: 'aB9', attachment: 'Zz-x', sid: '2001:db8:f00d:2::', prefix: 'fd20::42/128' };
    assert.deepEqual(readAtEdge(await pod.expectCopy()), route);
  });

  it('may come later than the slice', async () => {
    const { c1, namespace, source } = scenario();
    const pod = await source(c1, await namespace()).create({ sid: null });
    assert.equal((await pod.expectCopy()).metadata.annotations?.[SRV6_SID], undefined);
    await pod.patch({ metadata: { annotations: { [SRV6_SID]: '2001:db8::1' } } });
    assert.equal((await pod.expectCopy()).metadata.annotations?.[SRV6_SID], '2001:db8::1');
  });
});
