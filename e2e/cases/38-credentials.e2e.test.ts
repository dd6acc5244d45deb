// Case 38: tokens are rotated under running watches, a token file is bad for a while, kubeconfigs are rewritten over and over under load,
// a server shows another certificate.
// The service goes on without a restart and withdraws nothing; what it could not ask meanwhile it asks afterwards.
import assert from 'node:assert/strict';
import { copyFileSync, writeFileSync } from 'node:fs';
import type { Proxied } from '#e2e/scenario/proxied.ts';
import { reportSide } from '#e2e/scenario/report-side.ts';
import { useScenario } from '#e2e/scenario.ts';

const WATCHES = { watch: true };
/** The tokens before belong to the first test. */
const FIRST = 5;
const REWRITES = 50;
const BAD_EVERY = 5;

describe('case 38: credentials that change', () => {
  const scenario = useScenario();
  afterEach(() => {
    for (const { faults } of [scenario().c1, scenario().hub]) faults.clear();
  });

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
    for (const next of [2, 3]) {
      writeFileSync(tokenFile, '');
      await service.swept('c1');
      writeFileSync(tokenFile, token(c1, next));
      refuse(c1, next - 1);
      await service.swept('c1');
    }
    writeFileSync(tokenFile, 'unknown-to-the-server');
    refuse(c1, 3);
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
      const isBad = round % BAD_EVERY === BAD_EVERY - 2;
      for (const side of [c1, hub]) rewrite(side, { round, isBad });
      await Promise.all(pods.map((pod) => pod.patch({ endpoints: [{ addresses: [`fd20::${round + 100}`] }] })));
      if (!isBad) await pods[round % pods.length]?.expectCopy();
    }
    for (const pod of pods) await pod.expectCopy();
    await service.swept('c1');
    assert.deepEqual(deletes(hub.writesSince(mark)), []);
  });

  it('that the server shows take nothing away where they are not trusted, and are used as soon as the kubeconfig names their authority', async () => {
    const { c1, c2, configure, hub, namespace, service, source } = scenario();
    const shared = await namespace();
    const [stays, goes] = [await source(c1, shared, 'stays').publish(), await source(c1, shared, 'goes').publish()];
    const mark = hub.mark();
    c1.proxy.changeAuthority();
    await goes.delete();
    await service.eventually('it says why', () => service.logs().some(({ level, reason }) => level === 'warn' && reason === 'Untrusted'));
    const neverSeen = { ...c1, name: 'never-seen', kubeconfig: `${c1.kubeconfig}.never-seen`, location: 'lhr' };
    copyFileSync(c1.kubeconfig, neverSeen.kubeconfig);
    configure([c1, c2, neverSeen]);
    for (const { name } of [c1, neverSeen])
      await service.eventually(`the report of ${name} says why`, () => isReportedUntrusted(hub, name));
    configure([c1, c2]);
    await reportSide(hub.plane, neverSeen.name).remove();
    assert.deepEqual(hub.writesSince(mark), []);
    c1.giveCredential({ token: token(c1, 0) });
    await goes.expectNoCopy();
    assert.deepEqual(deletes(hub.writesSince(mark)), [`delete ${shared}/${goes.copyKey.name}`]);
    await stays.expectCopy();
  });

  it('that the server shows are used where the authority is the same', async () => {
    const { c1, namespace, source } = scenario();
    const shared = await namespace();
    c1.proxy.heal();
    c1.giveCredential({ token: token(c1, 0) });
    await source(c1, shared, 'before').publish();
    c1.proxy.heal();
    c1.proxy.cut();
    await source(c1, shared, 'after').publish();
  });
});

async function isReportedUntrusted({ plane }: Proxied, cell: string): Promise<boolean> {
  const { conditions = [] } = (await reportSide(plane, cell).read())?.status ?? {};
  return conditions.some(({ type, message }) => type === 'Observed' && message.includes('(Untrusted)'));
}

/** Half a file, or one with another token; then all tokens of before are refused. */
function rewrite(side: Proxied, { round, isBad }: { round: number; isBad: boolean }): void {
  if (isBad) return writeFileSync(side.kubeconfig, '{"apiVersion": "v1", "clusters": [{"na');
  side.giveCredential({ token: token(side, FIRST + round) });
  for (let before = Math.max(0, round - BAD_EVERY); before < round; before += 1) refuse(side, FIRST + before);
}

/** From now on the server knows this token no more. */
function refuse(side: Proxied, number: number): void {
  side.faults.request({ token: token(side, number) }, { kind: 'status', status: 401 });
}

function token({ plane }: Proxied, number: number): string {
  const { serviceTokens } = plane.files;
  return serviceTokens[number % serviceTokens.length] ?? '';
}

function deletes(writes: readonly string[]): string[] {
  return writes.filter((write) => write.startsWith('delete'));
}
