import type { Client } from '#kube/client.ts';
import { Gate } from '#kube/gate.ts';
import { contractOfCollections } from '#kube/testing/contract-collections.ts';
import { contractOfObjects } from '#kube/testing/contract-objects.ts';
import { contractOfOutages } from '#kube/testing/contract-outages.ts';
import type { ContractServer } from '#kube/testing/contract-server.ts';
import { ModelServer } from '#e2e/simulation/model/model-server.ts';
import { sleepOn, type Timers } from '#e2e/simulation/timers.ts';

// The suite that the real kube-apiserver passes too: what it shows of both, schedules may rely on.
describe('the model of an API server', () => {
  let server: ContractServer;

  before(() => {
    server = contractServer();
  });

  contractOfObjects(() => server);
  contractOfCollections(() => server);
  contractOfOutages(() => server);
});

function contractServer(): ContractServer {
  const model = new ModelServer({ name: 'model', timers: fastTimers });
  let kept = model.backUp();
  const open = (forbidden: boolean): Client => ({
    cluster: 'model',
    transport: model.connect({ forbidden }),
    gate: new Gate({ concurrency: 8, clock: fastTimers }),
    clock: fastTimers,
    random: Math.random,
  });
  return {
    client: open(false),
    stranger: open(true),
    async forgetHistory() {
      model.compact();
      model.cut();
    },
    goAway: async () => model.setDown(true),
    comeBack: async () => model.setDown(false),
    async keepData() {
      model.cut();
      kept = model.backUp();
    },
    goBack: async () => model.restore(kept),
    freeze: () => model.freeze(),
    thaw: () => model.thaw(),
  };
}

/** Real time, twenty times as fast: the suite waits for silences and backoffs of seconds. */
const SPEED = 20;
const after = (ms: number, call: () => void) => {
  const timer = setTimeout(call, ms / SPEED);
  return () => clearTimeout(timer);
};
const fastTimers: Timers = {
  monotonicMs: () => performance.now() * SPEED,
  wallMs: () => Date.now(),
  sleep: (ms, signal) => sleepOn({ after }, ms, signal),
  after,
};
