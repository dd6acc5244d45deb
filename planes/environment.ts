import { TerminalError } from '#kube/errors.ts';
import { ensureBinaries } from '#planes/binaries.ts';
import type { Binaries } from '#planes/binaries.ts';
import { describeDeath } from '#planes/child.ts';
import type { Child, Death } from '#planes/child.ts';
import { prepareKarmada, startKarmada } from '#planes/karmada.ts';
import { cleanLeftovers } from '#planes/leftovers.ts';
import type { Plane, PlaneOptions } from '#planes/plane.ts';
import { KARMADA_PROGRAMS, PLANE_PROGRAMS } from '#planes/programs.ts';
import type { Program } from '#planes/programs.ts';
import { Run } from '#planes/run.ts';
import type { ProcessRequest } from '#planes/run.ts';
import { stopOnSignals } from '#planes/signals.ts';
import { startPlane } from '#planes/start-plane.ts';
import type { HubSettings } from '#planes/start-plane.ts';

/** What is to be at hand, and who is told what. */
export type EnvironmentOptions = {
  /** The hub runs Karmada. */
  karmada?: boolean;
  /** Karmada's Cluster is served by its aggregated API server, as in production, instead of as a plain CRD. */
  aggregated?: boolean;
  /** Have kubectl as well, for people who want to look. */
  kubectl?: boolean;
  /** Told in plain sentences what is going on; nothing when left out. */
  log?: (line: string) => void;
  /** Told when a program ends that should not; logged when left out. */
  onExit?: (death: Death) => void;
  /** End everything and exit on SIGINT, SIGTERM and SIGHUP; yes unless said otherwise. */
  ownSignals?: boolean;
};

/** Planes that belong together and end together. */
export type Environment = {
  /** Removed with everything in it by `stop`. */
  folder: string;
  binaries: Binaries;
  planes: Plane[];
  /** A hub: API server, store, garbage collection, and Karmada where the environment has it. */
  startHub(options?: PlaneOptions): Promise<Plane>;
  /** A cell, a project or a gateway: API server and store. Several may be started at once. */
  startCell(name: string, options?: PlaneOptions): Promise<Plane>;
  startProcess(request: ProcessRequest): Promise<Child>;
  /** Ends every process of this environment and removes its folder. May be called again, and while something is starting. */
  stop(): Promise<void>;
};

/**
 * Prepares an environment without any plane yet: finds or builds the programs, cleans up what killed runs have left.
 * @throws {TerminalError} `NoBinary` when a program cannot be had.
 */
export async function startEnvironment(options: EnvironmentOptions = {}): Promise<Environment> {
  const { log = () => {} } = options;
  const binaries = await ensureBinaries(programsFor(options), { log });
  const ended = await cleanLeftovers();
  if (ended > 0) log(`Ended ${ended} processes that an earlier run had left`);
  return createEnvironment(options, binaries);
}

/** Every program that an environment with these options may start. */
export function programsFor({ karmada, aggregated, kubectl }: EnvironmentOptions): Program[] {
  return [
    ...PLANE_PROGRAMS,
    ...(kubectl ? (['kubectl'] as const) : []),
    ...(karmada ? KARMADA_PROGRAMS : []),
    ...(karmada && aggregated ? (['karmada-aggregated-apiserver'] as const) : []),
  ];
}

function createEnvironment(options: EnvironmentOptions, binaries: Binaries): Environment {
  const { log = () => {}, onExit = (death) => log(describeDeath(death)), karmada = false, aggregated = false } = options;
  const run = new Run({ binaries, onDeath: onExit });
  const { context, folder } = run;
  const planes: Plane[] = [];
  const names = new Set<string>();
  const forget = stopOnSignals({ stop: () => run.stop(), killNow: () => run.killNow(), own: options.ownSignals ?? true });
  const add = async (name: string, more: PlaneOptions & HubSettings) => {
    if (names.has(name)) throw new TerminalError('NameTaken', `Cannot start "${name}": there is a plane of that name`);
    names.add(name);
    const plane = await startPlane(name, more, context);
    planes.push(plane);
    return plane;
  };
  return {
    ...{ folder, binaries, planes },
    async startHub(more = {}) {
      const beforeControllers = (hub: Plane) => (karmada ? prepareKarmada(hub, { context, aggregated }) : Promise.resolve());
      const hub = await add('hub', { ...more, aggregated, beforeControllers, controllers: ['namespace', 'garbagecollector'] });
      if (karmada) await startKarmada(hub, context);
      return hub;
    },
    startCell: (name, more = {}) => add(name, more),
    startProcess: (request) => run.startProcess(request),
    stop: () => run.stop().finally(forget),
  };
}
