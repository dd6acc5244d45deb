// Case 28: two services at once, as while a new version takes over from an old one.
// No field is fought over, nothing is withdrawn that is there, and once things are still nothing is written.
import assert from 'node:assert/strict';
import { useScenario } from '#e2e/scenario.ts';
import { Service } from '#e2e/service.ts';
import { sharedPlanes } from '#e2e/shared-planes.ts';

describe('case 28: two services at once', () => {
  const scenario = useScenario();

  it('end with the same copies, and then write nothing', async function () {
    const { environment } = await sharedPlanes(this.test?.parent ?? assert.fail());
    const { c1, hub, namespace, service, source } = scenario();
    const shared = await namespace();
    const [changes, goes] = [await source(c1, shared, 'changes').publish(), await source(c1, shared, 'goes').publish()];
    const second = new Service({ environment, name: 'second-of-cells', configFile: service.configFile });
    await second.start();
    try {
      await second.swept('c1');
      await changes.patch({ endpoints: [{ addresses: ['fd20::99'], conditions: { ready: true } }] });
      await goes.delete();
      await changes.expectCopy();
      await goes.expectNoCopy();
      for (const each of [service, second]) await each.swept('c1');
      const mark = hub.mark();
      for (const each of [service, second]) await each.swept('c1');
      assert.deepEqual(hub.writesSince(mark), []);
    } finally {
      await second.stop();
    }
  });
});
