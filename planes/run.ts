import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Binaries } from '#planes/binaries.ts';
import { startChild } from '#planes/child.ts';
import type { Child, Death } from '#planes/child.ts';
import { createRunFolder, recordProcess } from '#planes/leftovers.ts';
import type { Plane } from '#planes/plane.ts';
import { createPortRange } from '#planes/ports.ts';
import type { PlaneContext } from '#planes/start-plane.ts';

/** A program beside the planes, such as the service itself: ended in order before any plane. */
export type ProcessRequest = { name: string; command: string; args: readonly string[]; env?: NodeJS.ProcessEnv };

/** Everything that one environment has running and on disk, until its end. */
export class Run {
  readonly folder = createRunFolder();
  /** What planes are started with. */
  readonly context: PlaneContext;
  readonly #ending = new AbortController();
  readonly #planes: Pick<Plane, 'programs' | 'admin'>[] = [];
  readonly #children: Child[] = [];

  constructor({ binaries, onDeath }: { binaries: Binaries; onDeath: (death: Death) => void }) {
    this.context = {
      ...{ folder: this.folder, binaries, ports: createPortRange(), signal: this.#ending.signal, onDeath },
      onBegin: (plane) => this.#planes.push(plane),
      onStart: (started) => recordProcess(this.folder, started),
    };
  }

  /** Starts a program beside the planes. */
  async startProcess({ name, command, args, env }: ProcessRequest): Promise<Child> {
    const { folder, onDeath, onStart, signal } = this.context;
    signal.throwIfAborted();
    const child = await startChild({
      ...{ plane: 'this environment', program: name, command, args, onDeath, logFile: join(folder, `${name}.log`) },
      ...(env === undefined ? {} : { env }),
      onStart: (pid) => onStart({ pid, name }),
    });
    this.#children.push(child);
    if (signal.aborted) await child.kill(); // the end began while it was starting and has passed it over
    return child;
  }

  /** Ends the programs beside the planes in order, then the planes at once, since their data goes with them. */
  async stop(): Promise<void> {
    this.#ending.abort();
    for (const child of this.#children.toReversed()) await child.stop();
    await Promise.all(this.#planes.map(({ programs }) => programs.kill()));
    await Promise.all(this.#planes.map(({ admin }) => admin.close()));
    await this.context.ports.release();
    this.#remove();
  }

  /** Ends everything without waiting: for the last moment of this process. */
  killNow(): void {
    for (const child of this.#children) child.killNow();
    for (const { programs } of this.#planes) programs.killNow();
    this.#remove();
  }

  /** A killed process may still be writing a last file. */
  #remove(): void {
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
