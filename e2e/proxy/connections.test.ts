import assert from 'node:assert/strict';
import { eventually } from '#e2e/eventually.ts';
import { startRig } from '#e2e/proxy/rig.ts';
import type { Rig } from '#e2e/proxy/rig.ts';

describe("the fault proxy's connections", () => {
  let rig: Rig;
  before(async () => {
    // Watches never end by themselves.
    rig = await startRig((request, response) => void (request.url?.startsWith('/watch') ? response.write('{}\n') : response.end('ok')));
  });
  afterEach(() => rig.proxy.heal());
  after(() => rig.close());

  it('are all cut at once, and new ones are welcome', async () => {
    const watch = await openWatch();
    rig.proxy.cut();
    await assert.rejects(watch.answer, /aborted|reset|hang up/i);
    assert.equal((await rig.fetch('/')).body, 'ok');
  });

  it('are cut where their request matches, and only there', async () => {
    let ended = false;
    const [stays, cut] = [await openWatch(), await openWatch('/watch?cut=1')];
    stays.answer.catch(() => {}).finally(() => (ended = true));
    rig.proxy.cut({ path: /watch/, query: { cut: '1' } });
    await assert.rejects(cut.answer, /aborted|reset|hang up/i);
    assert.equal(ended, false);
    stays.leave();
  });

  it('are refused until healed', async () => {
    rig.proxy.refuse();
    await assert.rejects(rig.fetch('/'), { code: 'ECONNRESET' });
    rig.proxy.heal();
    assert.equal((await rig.fetch('/')).body, 'ok');
  });

  it('show a certificate of another authority until healed, also where they were open before', async () => {
    const [watch, first] = [await openWatch(), rig.proxy.ca];
    rig.proxy.changeAuthority();
    await assert.rejects(watch.answer, /aborted|reset|hang up/i);
    await assert.rejects(rig.fetch('/'), { code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' });
    assert.notEqual(rig.proxy.ca, first);
    rig.proxy.heal();
    assert.equal((await rig.fetch('/')).body, 'ok');
  });

  it('fall silent without an end, and stay so after the network is well again', async () => {
    const ended: string[] = [];
    const watch = await openWatch();
    rig.proxy.blackHole();
    const late = rig.fetch('/');
    for (const [name, answer] of Object.entries({ watch: watch.answer, late })) {
      answer.catch(() => {}).finally(() => ended.push(name));
    }
    await eventually('both are swallowed', () => rig.proxy.silent >= 2);
    rig.proxy.heal();
    assert.equal((await rig.fetch('/')).body, 'ok');
    assert.deepEqual(ended, []);
  });

  it('are gone from the count once the client has gone', async () => {
    const watch = await openWatch();
    assert.ok(rig.proxy.connections > 0);
    watch.leave();
    await eventually('no connection is left', () => rig.proxy.connections === 0);
  });

  /** A watch that the server has seen, and the way to give it up. */
  async function openWatch(path = '/watch') {
    const seen = rig.proxy.requests.count({ path: /watch/ });
    const client = new AbortController();
    const answer = rig.fetch(path, { signal: client.signal });
    answer.catch(() => {});
    await eventually('the watch stands', () => rig.proxy.requests.count({ path: /watch/ }) > seen);
    return { answer, leave: () => client.abort() };
  }
});
