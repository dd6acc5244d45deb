// Case 31: what the service asks of a cell, by the cell's own audit log.
// Only get, list and watch, whatever happens to slices; the same is checked for every suite when the planes stop.
import assert from 'node:assert/strict';
import { auditOf } from '#e2e/scenario/hub-side.ts';
import { useScenario } from '#e2e/scenario.ts';
import { SERVICE_USER } from '#planes/plane-files.ts';

describe('case 31: the requests to a cell', () => {
  const scenario = useScenario();

  it('read, and nothing else', async () => {
    const { c1, hub, namespace, service, source } = scenario();
    const mark = auditOf(c1.plane).length;
    const pod = await source(c1, await namespace()).publish();
    await hub.slices.delete(pod.copyKey);
    await pod.expectCopy();
    await pod.delete();
    await pod.expectNoCopy();
    await service.swept('c1');
    const asked = auditOf(c1.plane)
      .slice(mark)
      .filter(({ user }) => user.username === SERVICE_USER);
    const verbs = new Set(asked.map(({ verb }) => verb));
    assert.deepEqual(
      [...verbs].filter((verb) => !['get', 'list', 'watch'].includes(verb)),
      [],
    );
    assert.ok(verbs.has('get') && verbs.has('list'), [...verbs].join());
    assert.ok(asked.every(({ responseStatus }) => responseStatus?.code !== 403));
  });
});
