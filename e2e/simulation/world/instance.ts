import { ApiError } from '#kube/errors.ts';
import type { Client } from '#kube/client.ts';
import { Gate } from '#kube/gate.ts';
import type { Log, LogFields } from '#kube/log.ts';
import type { Transport } from '#kube/transport.ts';
import type { MirrorMetrics } from '#mirror/metrics.ts';
import type { MirrorSettings } from '#mirror/mirror.ts';
import { Writeback } from '#writeback/writeback.ts';
import { count, type Link } from '#e2e/simulation/network/link.ts';
import { type Deliver, NetworkTransport } from '#e2e/simulation/network/network-transport.ts';
import { Random } from '#e2e/simulation/random.ts';
import { type Hears, overhear } from '#e2e/simulation/network/overhear.ts';
import { Judge } from '#e2e/simulation/world/judge.ts';
import type { World } from '#e2e/simulation/world/world.ts';

/** Shorter than in production, so that a run shows several sweeps, retries and silences. */
const SETTINGS: MirrorSettings = {
  sweepIntervalMs: 30_000,
  retryIntervalMs: 10_000,
  idleMs: 25_000,
  concurrency: 4,
};

/** One run of the service against a world, from its start to its end. */
export class Instance {
  readonly #world: World;
  readonly #judge: Judge;
  readonly #random: Random;
  readonly #stopping = new AbortController();
  readonly #death = new AbortController();
  #ended = false;

  constructor(world: World, seed: number) {
    this.#world = world;
    this.#judge = new Judge(world);
    this.#random = new Random(seed);
    const hub = world.hub.connect();
    const writeback = new Writeback({
      hub: this.#client('hub', {
        link: world.hubLink,
        deliver: (request, sentMs) => this.#judge.atHub(hub, request, sentMs),
        hears: this.#judge.hearsHub,
      }),
      openCell: async ({ name }) => this.#openCell(name),
      settings: { ...SETTINGS, guard: world.guard },
      log: countingLog(world, () => this.#judge.eventFailed()),
      metrics: NO_METRICS,
    });
    writeback.setCells(world.cells.map(({ name, location }) => ({ name, kubeconfig: name, ...(location !== undefined && { location }) })));
    void writeback.run(this.#stopping.signal).then(
      () => {
        this.#ended = true;
      },
      (error: unknown) => world.violate(0, `the service ended with ${String(error)}`),
    );
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** Tells it to end in its own time. */
  stop(): void {
    this.#stopping.abort();
  }

  /** Ends it at this very moment: what it has sent may arrive, and no answer reaches it. */
  kill(): void {
    this.#death.abort(new ApiError('Unreachable', 'connection lost'));
    this.#stopping.abort();
  }

  #openCell(name: string): Client {
    const cell = this.#world.cells.find((each) => each.name === name);
    if (!cell) throw new Error(`No cell ${name}`);
    return this.#client(name, {
      link: cell.link,
      deliver: (request) => this.#judge.atCell(cell, request),
      hears: this.#judge.hearsCell(cell),
    });
  }

  #client(cluster: string, { link, deliver, hears }: { link: Link; deliver: Deliver; hears: Hears }): Client {
    const { clock } = this.#world;
    const network = new NetworkTransport({
      link,
      timers: clock,
      deliver,
      mayLie: ({ path }) => cluster !== 'hub' && path.endsWith('/endpointslices'),
    });
    const transport = overhear(this.#mortal(network), { hears, nowMs: () => clock.monotonicMs() });
    return { cluster, transport, gate: new Gate({ concurrency: 8, clock }), clock, random: this.#random.next };
  }

  #mortal(transport: Transport): Transport {
    return {
      send: async (request) => {
        this.#death.signal.throwIfAborted();
        return transport.send({ ...request, signal: AbortSignal.any([request.signal, this.#death.signal]) });
      },
      close: () => transport.close(),
    };
  }
}

/** Counts decisions by reason; a fault that nobody foresaw is a violation by itself. */
function countingLog(world: World, eventFailed: () => void): Log {
  const note = (fields: LogFields, message: string) => {
    const { action, reason } = fields;
    const error = fields.err instanceof Error ? fields.err.message : undefined;
    world.tell(`  ${message}: ${[fields.name?.slice(0, 40), action, reason, error].filter((each) => each !== undefined).join(' ')}`);
    if (message === 'Cannot write an Event') eventFailed();
    if (reason === 'Fault' || message.startsWith('Fault')) world.violate(0, `${message}: ${stackOf(fields.err)}`);
    if (action !== undefined) count(world.decisions, `${action} ${reason ?? ''}`.trim());
    else if (reason !== undefined) count(world.decisions, `${message}: ${reason}`);
  };
  const log: Log = {
    error: note,
    warn: note,
    info: note,
    debug: note,
    child: () => log,
  };
  return log;
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

const NO_METRICS: MirrorMetrics = { reconciled: () => {}, failed: () => {}, swept: () => {}, include: () => () => {} };
