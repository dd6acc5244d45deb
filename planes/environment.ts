import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { TerminalError } from '#kube/errors.ts';
import { ensureBinaries } from '#planes/binaries.ts';
import type { Binaries } from '#planes/binaries.ts';
import { describeDeath, startChild } from '#planes/child.ts';
import type { Child, Death } from '#planes/child.ts';
import { prepareKarmada, startKarmada } from '#planes/karmada.ts';
import { cleanLeftovers, createRunFolder, recordProcess } from '#planes/leftovers.ts';
import { startPlane } from '#planes/plane.ts';
import type { HubSettings, Plane, PlaneContext, PlaneOptions } from '#planes/plane.ts';
import { createPortRange } from '#planes/ports.ts';
import { KARMADA_PROGRAMS, PLANE_PROGRAMS } from '#planes/programs.ts';
import type { Program } from '#planes/programs.ts';
import { stopOnSignals } from '#planes/signals.ts';

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

/** A program beside the planes, such as the service itself: ended in order before any plane. */
export type ProcessRequest = { name: string; command: string; args: readonly string[]; env?: NodeJS.ProcessEnv };

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
  const folder = createRunFolder();
  const ending = new AbortController();
  const ports = createPortRange();
  const planes: Plane[] = [];
  const names = new Set<string>();
  const begun: Pick<Plane, 'programs' | 'admin'>[] = [];
  const children: Child[] = [];
  const context: PlaneContext = {
    ...{ folder, binaries, ports, signal: ending.signal, onDeath: onExit },
    onBegin: (plane) => begun.push(plane),
    onStart: (started) => recordProcess(folder, started),
  };
  const add = async (name: string, more: PlaneOptions & HubSettings) => {
    if (names.has(name)) throw new TerminalError('NameTaken', `Cannot start "${name}": there is a plane of that name`);
    names.add(name);
    const plane = await startPlane(name, more, context);
    planes.push(plane);
    return plane;
  };
  const killNow = () => {
    for (const child of children) child.killNow();
    for (const { programs } of begun) programs.killNow();
    rmSync(folder, { recursive: true, force: true });
  };
  const stop = async () => {
    ending.abort();
    for (const child of children.toReversed()) await child.stop();
    await Promise.all(begun.map(({ programs }) => programs.kill()));
    await Promise.all(begun.map(({ admin }) => admin.close()));
    await ports.release();
    rmSync(folder, { recursive: true, force: true });
    forget();
  };
  const forget = stopOnSignals({ stop, killNow, own: options.ownSignals ?? true });
  return {
    ...{ folder, binaries, planes, stop },
    async startHub(more = {}) {
      const beforeControllers = (hub: Plane) => (karmada ? prepareKarmada(hub, { context, aggregated }) : Promise.resolve());
      const hub = await add('hub', { ...more, aggregated, beforeControllers, controllers: ['namespace', 'garbagecollector'] });
      if (karmada) await startKarmada(hub, context);
      return hub;
    },
    startCell: (name, more = {}) => add(name, more),
    async startProcess(request) {
      const child = await startBeside(request, context);
      children.push(child);
      return child;
    },
  };
}

async function startBeside({ name, command, args, env }: ProcessRequest, { folder, onStart, onDeath }: PlaneContext): Promise<Child> {
  return startChild({
    ...{ plane: 'this environment', program: name, command, args, onDeath, logFile: join(folder, `${name}.log`) },
    ...(env === undefined ? {} : { env }),
    onStart: (pid) => onStart({ pid, name }),
  });
}
