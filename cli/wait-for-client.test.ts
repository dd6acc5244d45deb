import assert from 'node:assert/strict';
import { createLog } from '#cli/logger.ts';
import { waitForClient } from '#cli/wait-for-client.ts';
import type { Client } from '#kube/client.ts';
import { systemClock } from '#kube/clock.ts';
import { Gate } from '#kube/gate.ts';

const CLIENT: Client = {
  cluster: 'hub',
  transport: { send: () => assert.fail('nothing is sent'), close: async () => undefined },
  gate: new Gate({ concurrency: 1, clock: systemClock }),
  clock: systemClock,
  random: () => 0.5,
};

function options(open: () => Promise<Client>, sleep = async (_ms: number) => undefined as void) {
  const reasons: string[] = [];
  const lines: Record<string, unknown>[] = [];
  const log = createLog('info', { write: (line: string) => void lines.push(JSON.parse(line)) });
  const clock = { ...systemClock, sleep };
  return { reasons, lines, open, file: '/hub', clock, random: () => 0.5, log, onWait: (reason: string) => reasons.push(reason) };
}

describe('waiting for a client', () => {
  it('tries until it opens, saying once what is waited for', async () => {
    let attempts = 0;
    const waiting = options(async () => {
      attempts += 1;
      return attempts < 4 ? assert.fail('no such file') : CLIENT;
    });
    assert.equal(await waitForClient(waiting, new AbortController().signal), CLIENT);
    assert.deepEqual(new Set(waiting.reasons), new Set(['the kubeconfig /hub to be usable']));
    assert.equal(waiting.lines.length, 1);
  });

  it('ends with the signal', async () => {
    const stop = new AbortController();
    const waiting = options(
      () => assert.fail('no such file'),
      async () => stop.abort(),
    );
    assert.equal(await waitForClient(waiting, stop.signal), undefined);
  });

  it('waits longer and longer, up to a bound', async () => {
    const stop = new AbortController();
    const slept: number[] = [];
    const waiting = options(
      () => assert.fail('no such file'),
      async (ms) => {
        if (slept.push(ms) === 12) stop.abort();
      },
    );
    await waitForClient(waiting, stop.signal);
    assert.deepEqual(
      slept,
      slept.toSorted((a, b) => a - b),
    );
    assert.equal(slept.at(-1), 2500);
  });
});
