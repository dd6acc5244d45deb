import assert from 'node:assert/strict';
import type { ApiResponse } from '#kube/transport.ts';
import { settle } from '#kube/testing/manual-clock.ts';
import { scriptedClient } from '#kube/testing/scripted-client.ts';
import { type Answer, json, status } from '#kube/testing/scripted-transport.ts';
import { ClusterIdentity } from '#mirror/cluster-identity.ts';

const signal = new AbortController().signal;
const fresh = { signal, maxAgeMs: 0 };
const request = { method: 'GET', path: '/apis', signal, idleMs: 0 } as const;
const recent = { signal, maxAgeMs: 10_000 };
const kubeSystem = (uid: string): Answer => json({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'kube-system', uid } });

/** An identity bound to `u1`; what the plane is asked after that follows the script. */
async function bound(...answers: Answer[]) {
  const plane = scriptedClient(kubeSystem('u1'), ...answers);
  const identity = new ClusterIdentity(plane);
  await identity.bind(signal);
  await plane.clock.advance(60_000);
  const asked = () => plane.transport.requests.length - 1;
  return { plane, identity, asked };
}

/** An answer that comes when the test says so. */
function later(): { answer: Answer; give: (what: Answer) => Promise<void> } {
  let resolve: (response: ApiResponse | Promise<ApiResponse>) => void = () => {};
  const promise = new Promise<ApiResponse>((set) => {
    resolve = set;
  });
  const give = async (what: Answer) => {
    resolve(what({ method: 'GET', path: '', signal, idleMs: 0 }));
    await settle();
  };
  return { answer: () => promise, give };
}

describe("a plane's identity", () => {
  it('is unread until it was bound, and then the uid of kube-system', async () => {
    const plane = scriptedClient(kubeSystem('u1'));
    const identity = new ClusterIdentity(plane);
    assert.deepEqual(identity.state, { kind: 'unbound', reason: 'IdentityUnread' });
    assert.equal(await identity.bind(signal), 'u1');
    assert.deepEqual(identity.state, { kind: 'bound', uid: 'u1' });
    assert.equal(plane.transport.requests[0]?.path, '/api/v1/namespaces/kube-system');
  });

  it('stays unread where the plane cannot be asked', async () => {
    const identity = new ClusterIdentity(scriptedClient(status(403, 'Forbidden')));
    await assert.rejects(identity.bind(signal), { code: 'Forbidden' });
    assert.deepEqual(identity.state, { kind: 'unbound', reason: 'IdentityUnread' });
  });

  it('is not bound to a plane that has no uid to say', async () => {
    const identity = new ClusterIdentity(scriptedClient(json({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'kube-system' } })));
    await assert.rejects(identity.bind(signal), { code: 'Malformed' });
    assert.deepEqual(identity.state, { kind: 'unbound', reason: 'IdentityUnread' });
  });

  it('is the one that was recorded at an earlier contact, and fenced where another one answers', async () => {
    const same = new ClusterIdentity(scriptedClient(kubeSystem('u1')));
    assert.equal(await same.bind(signal, async () => 'u1'), 'u1');
    assert.deepEqual(same.state, { kind: 'bound', uid: 'u1' });
    const other = new ClusterIdentity(scriptedClient(kubeSystem('u2')));
    assert.equal(await other.bind(signal, async () => 'u1'), 'u1');
    assert.deepEqual(other.state, { kind: 'unbound', reason: 'IdentityFenced' });
    assert.equal(other.observedUid, 'u2');
  });

  it('is the one that was recorded while the plane was asked', async () => {
    let recorded: string | undefined;
    const answer = kubeSystem('u2');
    const identity = new ClusterIdentity(
      scriptedClient((request) => {
        recorded = 'u1';
        return answer(request);
      }),
    );
    assert.equal(await identity.bind(signal, async () => recorded), 'u1');
    assert.deepEqual(identity.state, { kind: 'unbound', reason: 'IdentityFenced' });
  });

  it('is fenced where another name stands for the same cluster', async () => {
    const { identity } = await bound();
    identity.fence();
    assert.deepEqual(identity.state, { kind: 'unbound', reason: 'IdentityFenced' });
    await assert.rejects(identity.verify(fresh), { code: 'IdentityFenced' });
  });

  it('is fenced for good by another uid behind the same name', async () => {
    const { plane, identity, asked } = await bound(kubeSystem('u2'), kubeSystem('u1'));
    await assert.rejects(identity.verify(fresh), { name: 'WaitingError', code: 'IdentityFenced' });
    assert.deepEqual(identity.state, { kind: 'unbound', reason: 'IdentityFenced' });
    await plane.clock.advance(60_000);
    await assert.rejects(identity.verify(fresh), { code: 'IdentityFenced' });
    assert.equal(asked(), 1);
  });

  it('is not verified by a plane that cannot be asked, and not fenced either', async () => {
    const { identity } = await bound(status(500, 'InternalError'), kubeSystem('u1'));
    await assert.rejects(identity.verify(fresh), { code: 'ServerError' });
    assert.equal(identity.state.kind, 'bound');
    await identity.verify(fresh);
  });

  it('is not asked again for a publication while the last answer is young', async () => {
    const { plane, identity, asked } = await bound(kubeSystem('u1'), kubeSystem('u1'));
    await identity.verify(recent);
    await plane.clock.advance(10_000);
    await identity.verify(recent);
    assert.equal(asked(), 1);
    await plane.clock.advance(1);
    await identity.verify(recent);
    assert.equal(asked(), 2);
  });

  it('is asked anew for a publication where an answer has come since it last said who it is', async () => {
    const { identity, asked } = await bound(kubeSystem('u1'), json({}), kubeSystem('u1'), kubeSystem('u1'));
    await identity.verify(recent);
    await identity.client.transport.send(request);
    await identity.verify(recent);
    assert.equal(asked(), 3);
    await identity.verify(recent);
    assert.equal(asked(), 3);
  });

  it('is not verified for an answer that came while it was being asked', async () => {
    const question = later();
    const { identity, asked } = await bound(question.answer, json({}), kubeSystem('u2'));
    const first = identity.verify(recent);
    await settle();
    await identity.client.transport.send(request);
    const second = assert.rejects(identity.verify(recent), { code: 'IdentityFenced' });
    await question.give(kubeSystem('u1'));
    await first;
    await second;
    assert.equal(asked(), 3);
  });

  it('is seen to be back where the right cluster answers again, and stays fenced for what was read meanwhile', async () => {
    const { plane, identity } = await bound(kubeSystem('u2'), kubeSystem('u2'), status(500, 'InternalError'), kubeSystem('u1'));
    let isBack = false;
    void identity.untilReturned(signal).then(() => {
      isBack = true;
    });
    await assert.rejects(identity.verify(fresh), { code: 'IdentityFenced' });
    for (const back of [false, false, true]) {
      await plane.clock.advance(30_000);
      assert.equal(isBack, back);
    }
    assert.equal(identity.state.kind, 'unbound');
  });

  it('is not asked whether the right cluster is back while no other was found', async () => {
    const { plane, identity, asked } = await bound();
    void identity.untilReturned(signal);
    identity.fence();
    await plane.clock.advance(90_000);
    assert.equal(asked(), 0);
  });

  it('is asked anew for every withdrawal, however young the last answer is', async () => {
    const { plane, identity, asked } = await bound(kubeSystem('u1'), kubeSystem('u1'));
    await identity.verify(fresh);
    await plane.clock.advance(1);
    await identity.verify(fresh);
    assert.equal(asked(), 2);
  });

  it('is not verified by the answer to a question that was put before, as that may have overtaken the change', async () => {
    const question = later();
    const { plane, identity, asked } = await bound(question.answer, kubeSystem('u2'));
    const first = identity.verify(fresh);
    await plane.clock.advance(1_000);
    const second = assert.rejects(identity.verify(fresh), { code: 'IdentityFenced' });
    await question.give(kubeSystem('u1'));
    await first;
    await second;
    assert.equal(asked(), 2);
  });

  it('is asked once for many who want to know at the same time', async () => {
    const question = later();
    const { identity, asked } = await bound(question.answer);
    const all = Promise.all(Array.from({ length: 50 }, () => identity.verify(fresh)));
    await question.give(kubeSystem('u1'));
    await all;
    assert.equal(asked(), 1);
  });
});
