import { readFile } from 'node:fs/promises';
import type { Clock } from '#kube/clock.ts';
import { TerminalError } from '#kube/errors.ts';
import type { Log } from '#kube/log.ts';

/** What a file means, read again as it changes. A bad file never replaces a good one: files are seen half-written, and mounts go away for a moment. */
export class FreshFile<T> {
  readonly #file: string;
  readonly #parse: (text: string) => T;
  readonly #clock: Clock;
  readonly #log: Log;
  #good: { text: string; value: T } | undefined;
  #readMs = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | undefined;
  #fault: unknown;

  /** `parse` throws for a bad text: the message is the fact (`it is empty`), and holds no secret. */
  constructor(options: { file: string; parse: (text: string) => T; clock: Clock; log: Log }) {
    this.#file = options.file;
    this.#parse = options.parse;
    this.#clock = options.clock;
    this.#log = options.log;
  }

  /**
   * The meaning of the file as of a few seconds ago at most; the same value as before while the text is the same.
   * @throws {Error} only while no good file has ever been read.
   */
  async get(): Promise<T> {
    if (this.#clock.monotonicMs() - this.#readMs >= FRESH_MS) await this.renew();
    if (this.#good === undefined) throw this.#fault;
    return this.#good.value;
  }

  /** Reads the file now, whatever its age. Never throws: ask `get` afterwards. */
  async renew(): Promise<void> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    await this.#reading;
  }

  async #read(): Promise<void> {
    try {
      const text = await readFile(this.#file, 'utf8');
      if (text !== this.#good?.text) this.#good = { text, value: this.#parse(text) };
      this.#fault = undefined;
    } catch (error) {
      const first = this.#fault === undefined;
      this.#fault = error instanceof TerminalError ? error : new Error(`Cannot read "${this.#file}": ${factOf(error)}`);
      if (first && this.#good !== undefined)
        this.#log.warn({ file: this.#file, err: this.#fault }, 'Bad file, the last good one stays in use');
    } finally {
      this.#readMs = this.#clock.monotonicMs();
    }
  }
}

/** How old a file may be before it is looked at again: a rotated token is noticed at the latest then, or with the first 401. */
const FRESH_MS = 5_000;

function factOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error && error.code === 'ENOENT' ? 'it does not exist' : error.message;
}
