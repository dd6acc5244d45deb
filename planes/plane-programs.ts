import { join } from 'node:path';
import { TerminalError } from '#kube/errors.ts';
import { describeDeath, startChild } from '#planes/child.ts';
import type { Child, Death } from '#planes/child.ts';
import type { Program } from '#planes/programs.ts';
import { waitUntil } from '#planes/wait.ts';

/** A program of a plane: how to start it, any number of times, and how to see that it serves. */
export type ProgramSetup = {
  program: Program;
  command: string;
  args: readonly string[];
  isReady: () => Promise<boolean> | boolean;
};

/**
 * Collecting garbage less often makes these Go programs a third faster, for half as much memory again: many planes share few processors.
 * A value that is set already wins.
 */
const ENV = { GOGC: '400', ...process.env };

/** What the programs of one plane share. */
export type ProgramsContext = {
  plane: string;
  folder: string;
  onStart: (process: { pid: number; name: string }) => void;
  onDeath: (death: Death) => void;
  /** Aborted when the environment ends: nothing is waited for any longer. */
  signal: AbortSignal;
};

type Entry = { setup: ProgramSetup; child: Child | undefined };

/** The programs of one plane, in the order in which they were first started. */
export class PlanePrograms {
  readonly #context: ProgramsContext;
  readonly #entries = new Map<Program, Entry>();

  constructor(context: ProgramsContext) {
    this.#context = context;
  }

  /**
   * Starts a program that this plane has not had yet, and resolves when it is ready.
   * @throws {TerminalError} `ProgramDied` or `NotReady`, with its last log lines.
   */
  async add(setup: ProgramSetup): Promise<void> {
    const entry: Entry = { setup, child: undefined };
    this.#entries.set(setup.program, entry);
    await this.#run(entry);
  }

  /** Starts again, one after another, what is not running. Same flags, same data. */
  async start(...programs: readonly Program[]): Promise<void> {
    for (const entry of this.#chosen(programs)) if (!entry.child?.running) await this.#run(entry);
  }

  /** Ends programs in order, the last started first. All of them when none is named. */
  async stop(...programs: readonly Program[]): Promise<void> {
    this.resume(...programs); // a server cannot end in order while its store is frozen
    for (const { child } of this.#chosen(programs).reverse()) await child?.stop();
  }

  /** Ends programs as a crash would. All of them when none is named. */
  async kill(...programs: readonly Program[]): Promise<void> {
    await Promise.all(this.#chosen(programs).map(async ({ child }) => child?.kill()));
  }

  /** The same without waiting. */
  killNow(): void {
    for (const { child } of this.#entries.values()) child?.killNow();
  }

  /** Freezes programs. */
  pause(...programs: readonly Program[]): void {
    for (const { child } of this.#chosen(programs)) child?.pause();
  }

  /** Lets frozen programs go on. */
  resume(...programs: readonly Program[]): void {
    for (const { child } of this.#chosen(programs)) child?.resume();
  }

  /** Numbers of the running processes. */
  pids(): number[] {
    return [...this.#entries.values()].flatMap(({ child }) => (child?.running ? [child.pid] : []));
  }

  /** The number of one running program. @throws {TerminalError} `NotRunning` */
  pid(program: Program): number {
    const child = this.#entries.get(program)?.child;
    if (!child?.running)
      throw new TerminalError('NotRunning', `Cannot find the process of "${program}" of ${this.#context.plane}: it is not running`);
    return child.pid;
  }

  /** The last lines that a program printed. */
  logTail(program: Program): string {
    return this.#entries.get(program)?.child?.logTail() ?? '';
  }

  #chosen(programs: readonly Program[]): Entry[] {
    return [...this.#entries.values()].filter(({ setup }) => programs.length === 0 || programs.includes(setup.program));
  }

  async #run(entry: Entry): Promise<void> {
    const { plane, folder, onStart, onDeath, signal } = this.#context;
    const { program, command, args, isReady } = entry.setup;
    signal.throwIfAborted();
    let ready = false;
    const child = await startChild({
      plane,
      program,
      command,
      args,
      env: ENV,
      logFile: join(folder, `${program}.log`),
      onStart: (pid) => onStart({ pid, name: `${plane} ${program}` }),
      // Until it is ready, its death is what the caller of the start is told.
      onDeath: (death) => ready && onDeath(death),
    });
    entry.child = child;
    if (signal.aborted) await child.kill(); // whoever ends the environment may not have seen it yet
    const check = async () => (await aliveOrThrow(child, { plane, program })) && (await isReady());
    await waitUntil(check, { what: `${program} of ${plane} to get ready`, signal, more: () => child.logTail() });
    ready = true;
  }
}

async function aliveOrThrow(child: Child, { plane, program }: { plane: string; program: string }): Promise<true> {
  if (child.running) return true;
  throw new TerminalError('ProgramDied', describeDeath({ ...(await child.exited), plane, program, logTail: child.logTail() }));
}
