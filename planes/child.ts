import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { TerminalError } from '#kube/errors.ts';

/** How a process ended: one of the two is set. */
export type Exit = { code: number | null; signal: NodeJS.Signals | null };

/** A process that ended although nobody had asked it to. */
export type Death = Exit & { plane: string; program: string; pid: number; logTail: string };

/** What to run. */
export type ChildRequest = {
  /** Name of the plane it belongs to, for messages. */
  plane: string;
  program: string;
  command: string;
  args: readonly string[];
  env?: NodeJS.ProcessEnv;
  /** Gets everything it prints, after what is there already. */
  logFile: string;
  /** Called in the same turn in which the process began. */
  onStart?: (pid: number) => void;
  onDeath?: (death: Death) => void;
};

/** How long an orderly end may take before SIGKILL. An API server needs about one second. */
const GRACE_MS = 10_000;
const TAIL_LINES = 20;

/**
 * Starts a process that is watched until it ends.
 * It gets a session of its own: Ctrl-C in a terminal reaches the runner alone, which then ends everything in order.
 * @throws {TerminalError} `ProgramDied` when it cannot even be started.
 */
export async function startChild(request: ChildRequest): Promise<Child> {
  const log = openSync(request.logFile, 'a');
  try {
    const options = { stdio: ['ignore', log, log] as ['ignore', number, number], detached: true, env: request.env ?? process.env };
    const started = spawn(request.command, request.args, options);
    if (started.pid !== undefined) {
      request.onStart?.(started.pid);
      return new Child(request, started, started.pid);
    }
    const [cause] = await once(started, 'error').catch((error: unknown) => [error]);
    throw new TerminalError('ProgramDied', `Cannot start "${request.program}" of ${request.plane}: ${String(cause)}`, cause);
  } finally {
    closeSync(log);
  }
}

/** One running process of ours. */
export class Child {
  readonly pid: number;
  /** Resolves, and never rejects, when the process has ended. */
  readonly exited: Promise<Exit>;
  readonly #request: ChildRequest;
  #expected = false;
  #running = true;

  constructor(request: ChildRequest, started: ChildProcess, pid: number) {
    this.#request = request;
    this.pid = pid;
    this.exited = new Promise((resolve) => started.once('exit', (code, signal) => resolve({ code, signal })));
    started.once('exit', (code, signal) => this.#ended({ code, signal }));
  }

  /** False from the moment in which the end of the process is known. */
  get running(): boolean {
    return this.#running;
  }

  /** The last lines that it printed. */
  logTail(): string {
    return readFileSync(this.#request.logFile, 'utf8').trimEnd().split('\n').slice(-TAIL_LINES).join('\n');
  }

  /** Ends it in order: SIGTERM, resumed for it if it was paused, and SIGKILL where that is not enough. */
  async stop({ graceMs = GRACE_MS }: { graceMs?: number } = {}): Promise<void> {
    this.#expected = true;
    this.#signal('SIGTERM');
    this.#signal('SIGCONT');
    const timer = setTimeout(() => this.#signal('SIGKILL'), graceMs);
    await this.exited;
    clearTimeout(timer);
  }

  /** Ends it at once, as a crash would. */
  async kill(): Promise<void> {
    this.killNow();
    await this.exited;
  }

  /** The same without waiting: for the last moment of the runner. */
  killNow(): void {
    this.#expected = true;
    this.#signal('SIGKILL');
  }

  /** Freezes it: its connections stay open and nothing answers. */
  pause(): void {
    this.#signal('SIGSTOP');
  }

  /** Lets it go on. */
  resume(): void {
    this.#signal('SIGCONT');
  }

  /** Its number is ours as long as its end has not been seen, so no other process can be hit. */
  #signal(signal: NodeJS.Signals): void {
    if (this.#running) process.kill(this.pid, signal);
  }

  #ended(exit: Exit): void {
    this.#running = false;
    if (this.#expected) return;
    const { plane, program, onDeath } = this.#request;
    onDeath?.({ ...exit, plane, program, pid: this.pid, logTail: this.logTail() });
  }
}

/** `etcd of hub ended by SIGKILL` and its last words. */
export function describeDeath({ plane, program, code, signal, logTail }: Omit<Death, 'pid'>): string {
  const how = signal === null ? `with exit code ${code}` : `by ${signal}`;
  return `${program} of ${plane} ended ${how}. Its last lines:\n${logTail.replaceAll(/^/gm, '  ')}`;
}
