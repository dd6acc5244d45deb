// Case 38: tokens are rotated under running watches, a token file is bad for a while, kubeconfigs are rewritten over and over under load.
// The service goes on without a restart and withdraws nothing; what it could not ask meanwhile it asks afterwards.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import type { Proxied } from '#e2e/scenario/proxied.ts';
import { type Scenario, useScenario } from '#e2e/scenario.ts';

const WATCHES = { watch: true };
const REWRITES = 50;

describe('case 38: credentials that change', () => {
  const scenario = useScenario();

  it('under a running watch are used for what comes next, after a bad file and a refused token too', async () => {
    const { c1, hub, namespace, service, source } = scenario();
    const tokenFile = `${c1.kubeconfig}.token`;
    writeFileSync(tokenFile, token(c1, 1));
    c1.giveCredential({ tokenFile });
    await service.stop();
    await service.start();
    const shared = await namespace();
    const [stays, goes] = [await source(c1, shared, 'stays').publish(), await source(c1, shared, 'goes').publish()];
    const [mark, watches] = [hub.mark(), c1.proxy.requests.count(WATCHES)];
    for (const text of ['', token(c1, 2), '', token(c1, 3)]) {
      useToken(scenario(), { tokenFile, text });
      await service.swept('c1');
    }
    useToken(scenario(), { tokenFile, text: 'unknown-to-the-server' });
    await goes.delete();
    await service.expectHeld('c1', 'Unauthorized');
    assert.deepEqual(hub.writesSince(mark), []);
    writeFileSync(tokenFile, token(c1, 4));
    await goes.expectNoCopy();
    assert.deepEqual(deletes(hub.writesSince(mark)), [`delete ${shared}/${goes.copyKey.name}`]);
    await stays.expectCopy();
    assert.equal(c1.proxy.requests.count(WATCHES), watches, 'a watch was begun anew');
  });

  it(`take nothing away when the kubeconfigs of cell and hub are rewritten ${REWRITES} times under load`, async () => {
    const { c1, hub, namespace, service, source } = scenario();
    const shared = await namespace();
    const pods = ['a', 'b', 'c'].map((name) => source(c1, shared, name));
    for (const pod of pods) await pod.publish();
    const mark = hub.mark();
    for (let round = 0; round < REWRITES; round += 1) {
      for (const side of [c1, hub]) rewrite(side, round);
      await Promise.all(pods.map((pod) => pod.patch({ endpoints: [{ addresses: [`fd20::${round + 100}`] }] })));
      await pods[round % pods.length]?.expectCopy();
    }
    for (const pod of pods) await pod.expectCopy();
    await service.swept('c1');
    assert.deepEqual(deletes(hub.writesSince(mark)), []);
  });
});

/** Replaces what is in the token file. A refusal lets the service look at it at once, else it would when the file is a few seconds old. */
function useToken({ c1 }: Scenario, { tokenFile, text }: { tokenFile: string; text: string }): void {
  writeFileSync(tokenFile, text);
  c1.faults.request({ watch: false }, { kind: 'status', status: 401 }, { times: 1 });
}

/** Another token each time, and every fifth time the half of a file. */
function rewrite(side: Proxied, round: number): void {
  if (round % 5 === 4) writeFileSync(side.kubeconfig, '{"apiVersion": "v1", "clusters": [{"na');
  else side.giveCredential({ token: token(side, round) });
}

function token({ plane }: Proxied, number: number): string {
  const { serviceTokens } = plane.files;
  return serviceTokens[number % serviceTokens.length] ?? '';
}

function deletes(writes: readonly string[]): string[] {
  return writes.filter((write) => write.startsWith('delete'));
}
